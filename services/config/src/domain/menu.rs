//! The site's navigation.

use sahm_proto::config::v1::{Menu, NavigationItem};

/// The values of the placeholders `{name}` in a stored menu.
#[derive(Clone, Debug, Default)]
pub struct Placeholders {
    /// `{theme}`: the theme of the free-stocks campaign.
    pub theme: String,
    /// `{trading}`: the trading web app of this environment.
    pub trading: String,
    /// `{main}`: the main site's origin; empty if this site is the main one.
    pub main: String,
    /// `{whatsapp}`: a chat link.
    pub whatsapp: String,
    /// `{phone}`
    pub phone: String,
    /// `{email}`
    pub email: String,
}

impl Placeholders {
    /// The name and value of each placeholder, and whether an entry needs the value. The theme has
    /// a default, and without a main site this site is the main one.
    fn all(&self) -> [(&'static str, &str, bool); 6] {
        [
            ("{theme}", &self.theme, false),
            ("{trading}", &self.trading, true),
            ("{main}", &self.main, false),
            ("{whatsapp}", &self.whatsapp, true),
            ("{phone}", &self.phone, true),
            ("{email}", &self.email, true),
        ]
    }

    /// Whether a text contains a placeholder without a value that it needs.
    fn lacks_some_of(&self, text: &str) -> bool {
        let lacks = |(name, value, is_needed): (&str, &str, bool)| {
            is_needed && value.is_empty() && text.contains(name)
        };
        self.all().into_iter().any(lacks)
    }

    fn fill(&self, text: &mut String) {
        for (name, value, _) in self.all() {
            if text.contains(name) {
                *text = text.replace(name, value);
            }
        }
    }
}

/// The menu for callers: with ids, replaced placeholders, and every text in every language. An
/// entry is left out if a placeholder of its URL or name has no value, or if all its children are
/// left out.
pub fn filled(mut menu: Menu, values: &Placeholders) -> Menu {
    menu.id = "menu".to_owned();
    fill_items(&mut menu.header, values);
    fill(&mut menu.address, &mut menu.address_en, &mut menu.address_sa);
    for column in &mut menu.footer {
        column.id = column.key.clone();
        fill(&mut column.name, &mut column.name_en, &mut column.name_sa);
        fill_items(&mut column.items, values);
    }
    values.fill(&mut menu.trading_url);
    menu
}

fn fill_items(items: &mut Vec<NavigationItem>, values: &Placeholders) {
    items.retain_mut(|item| {
        let texts = [&item.url, &item.name, &item.name_en, &item.name_sa];
        if texts.into_iter().any(|text| values.lacks_some_of(text)) {
            return false;
        }
        item.id = item.key.clone();
        fill(&mut item.name, &mut item.name_en, &mut item.name_sa);
        fill(&mut item.description, &mut item.description_en, &mut item.description_sa);
        fill(&mut item.btn_name, &mut item.btn_name_en, &mut item.btn_name_sa);
        for text in [&mut item.url, &mut item.name, &mut item.name_en, &mut item.name_sa] {
            values.fill(text);
        }
        let had_children = !item.children.is_empty();
        fill_items(&mut item.children, values);
        !(had_children && item.children.is_empty() && item.url.is_empty())
    });
}

/// Fills the empty texts among a default, an English and an Arabic one: English from the default,
/// Arabic from English, the default from English.
fn fill(bare: &mut String, english: &mut String, arabic: &mut String) {
    if english.is_empty() {
        english.clone_from(bare);
    }
    if bare.is_empty() {
        bare.clone_from(english);
    }
    if arabic.is_empty() {
        arabic.clone_from(english);
    }
}

/// Validates a menu; returns its errors as `path: reason`, empty if it is valid.
pub fn check_menu(menu: &Menu) -> Vec<String> {
    let mut faults = Vec::new();
    check_items("header", &menu.header, &mut faults);
    for column in &menu.footer {
        let path = format!("footer.{}", column.key);
        if column.key.is_empty() || column.name.is_empty() {
            faults.push(format!("{path}: key and name are needed"));
        }
        check_items(&path, &column.items, &mut faults);
    }
    for (name, url) in [("tradingUrl", &menu.trading_url), ("addressUrl", &menu.address_url)] {
        if !url.is_empty() && !is_link(url) {
            faults.push(format!("{name}: '{url}' is no address of this site or the web"));
        }
    }
    for link in &menu.social {
        if !link.url.starts_with("https://") || link.id.is_empty() {
            faults.push(format!("social.{}: id and an https address are needed", link.id));
        }
    }
    faults
}

fn check_items(path: &str, items: &[NavigationItem], faults: &mut Vec<String>) {
    for item in items {
        let path = format!("{path}.{}", item.key);
        if item.key.is_empty() || item.name.is_empty() {
            faults.push(format!("{path}: key and name are needed"));
        }
        if item.url.is_empty() && item.children.is_empty() {
            faults.push(format!("{path}: an address or children are needed"));
        }
        if !item.url.is_empty() && !is_link(&item.url) {
            faults.push(format!("{path}: '{}' is no address of this site or the web", item.url));
        }
        if !matches!(item.target.as_str(), "" | "_blank") {
            faults.push(format!("{path}: target is _blank or nothing"));
        }
        if !matches!(item.dropdown_item_size.as_str(), "" | "normal" | "large") {
            faults.push(format!("{path}: dropdownItemSize is normal or large"));
        }
        if !matches!(item.badge.as_str(), "" | "hot" | "new") {
            faults.push(format!("{path}: badge is hot, new or nothing"));
        }
        if !is_class(&item.class) {
            faults.push(format!("{path}: class is up to 40 small letters, digits and '-'"));
        }
        check_items(&path, &item.children, faults);
    }
}

fn is_class(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.len() <= 40 && name.bytes().all(fits)
}

fn is_link(url: &str) -> bool {
    let is_path =
        |path: &str| path.starts_with('/') && !path.starts_with("//") && !path.contains('\\');
    // Text after a placeholder must not become part of its host.
    let after = |placeholder| url.strip_prefix(placeholder);
    is_path(url)
        || after("{main}").is_some_and(is_path)
        || ["https://", "mailto:", "tel:"].iter().any(|start| url.starts_with(start))
        || [after("{trading}"), after("{whatsapp}")]
            .into_iter()
            .flatten()
            .any(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use sahm_proto::config::v1::{FooterColumn, SocialLink};

    use super::*;

    fn item(key: &str, url: &str) -> NavigationItem {
        NavigationItem {
            key: key.to_owned(),
            name: key.to_owned(),
            url: url.to_owned(),
            ..NavigationItem::default()
        }
    }

    #[test]
    fn urls_are_validated() {
        for (url, right) in [
            ("/pricing", true),
            ("https://a.example/", true),
            ("mailto:{email}", true),
            ("//evil.example", false),
            ("/\\evil.example", false),
            ("javascript:alert(1)", false),
            ("http://a.example/", false),
            ("{main}/education", true),
            ("{main}", false),
            ("{main}.evil.example", false),
            ("{main}//evil.example", false),
            ("{main}/\\evil.example", false),
            ("{main}@evil.example", false),
            ("{trading}", true),
            ("{trading}?from=menu", true),
            ("{trading}.evil.example", false),
            ("{whatsapp}@evil.example", false),
            ("", false),
        ] {
            let menu = Menu { header: vec![item("x", url)], ..Menu::default() };
            assert_eq!(check_menu(&menu).is_empty(), right, "{url}");
        }
    }

    #[test]
    fn urls_of_the_menu_itself_are_validated() {
        for (url, right) in [
            ("", true),
            ("https://a.example/", true),
            ("{trading}", true),
            ("javascript:alert(1)", false),
        ] {
            let fault =
                |name: &str| format!("{name}: '{url}' is no address of this site or the web");
            let trading = Menu { trading_url: url.to_owned(), ..Menu::default() };
            let address = Menu { address_url: url.to_owned(), ..Menu::default() };
            for (menu, name) in [(trading, "tradingUrl"), (address, "addressUrl")] {
                let faults = if right { Vec::new() } else { vec![fault(name)] };
                assert_eq!(check_menu(&menu), faults);
            }
        }
    }

    #[test]
    fn css_classes_are_validated() {
        let (longest, too_long) = ("a".repeat(40), "a".repeat(41));
        for (class, right) in [
            ("", true),
            ("is-free-2", true),
            ("a b", false),
            ("A", false),
            (&longest, true),
            (&too_long, false),
        ] {
            let item = NavigationItem { class: class.to_owned(), ..item("x", "/") };
            let menu = Menu { header: vec![item], ..Menu::default() };
            assert_eq!(check_menu(&menu).is_empty(), right, "{class}");
        }
    }

    #[test]
    fn invalid_parts_are_reported_with_their_path() {
        let changed = |change: fn(&mut NavigationItem)| {
            let mut changed = item("x", "/");
            change(&mut changed);
            changed
        };
        let items = [
            (changed(|item| item.key.clear()), ": key and name are needed"),
            (changed(|item| item.name.clear()), "x: key and name are needed"),
            (changed(|item| item.url.clear()), "x: an address or children are needed"),
            (changed(|item| item.target = "_top".into()), "x: target is _blank or nothing"),
            (
                changed(|item| item.dropdown_item_size = "small".into()),
                "x: dropdownItemSize is normal or large",
            ),
            (changed(|item| item.badge = "best".into()), "x: badge is hot, new or nothing"),
        ];
        for (faulty, fault) in items {
            let parent = NavigationItem { children: vec![faulty.clone()], ..item("more", "") };
            let column = FooterColumn {
                key: "legal".into(),
                name: "Legal".into(),
                items: vec![faulty.clone()],
                ..FooterColumn::default()
            };
            let menus = [
                (Menu { header: vec![faulty], ..Menu::default() }, "header"),
                (Menu { header: vec![parent], ..Menu::default() }, "header.more"),
                (Menu { footer: vec![column], ..Menu::default() }, "footer.legal"),
            ];
            for (menu, path) in menus {
                assert_eq!(check_menu(&menu), [format!("{path}.{fault}")]);
            }
        }
        for right in ["", "_blank"] {
            let item = NavigationItem { target: right.into(), ..item("x", "/") };
            assert!(check_menu(&Menu { header: vec![item], ..Menu::default() }).is_empty());
        }
        for right in ["", "normal", "large"] {
            let item = NavigationItem { dropdown_item_size: right.into(), ..item("x", "/") };
            assert!(check_menu(&Menu { header: vec![item], ..Menu::default() }).is_empty());
        }
    }

    #[test]
    fn columns_and_social_links_need_names_and_urls() {
        for (key, name, faults) in [
            ("legal", "Legal", &[][..]),
            ("", "Legal", &["footer.: key and name are needed"]),
            ("legal", "", &["footer.legal: key and name are needed"]),
        ] {
            let column =
                FooterColumn { key: key.into(), name: name.into(), ..FooterColumn::default() };
            assert_eq!(check_menu(&Menu { footer: vec![column], ..Menu::default() }), faults);
        }
        for (id, url, faults) in [
            ("x", "https://x.example/", &[][..]),
            ("x", "http://x.example/", &["social.x: id and an https address are needed"]),
            ("x", "/about", &["social.x: id and an https address are needed"]),
            ("", "https://x.example/", &["social.: id and an https address are needed"]),
        ] {
            let link = SocialLink { id: id.into(), url: url.into(), ..SocialLink::default() };
            assert_eq!(check_menu(&Menu { social: vec![link], ..Menu::default() }), faults);
        }
    }

    #[test]
    fn placeholders_are_replaced_at_every_depth() {
        let mut parent = item("free", "/activity/seed?theme={theme}");
        parent.btn_name = "Get it".to_owned();
        parent.children = vec![item("trade", "{trading}")];
        let menu = Menu { header: vec![parent], ..Menu::default() };
        let values = Placeholders {
            theme: "3".to_owned(),
            trading: "https://t.example/".to_owned(),
            ..Placeholders::default()
        };
        let menu = filled(menu, &values);
        assert_eq!(menu.header[0].url, "/activity/seed?theme=3");
        assert_eq!(menu.header[0].btn_name_sa, "Get it");
        assert_eq!(menu.header[0].children[0].url, "https://t.example/");
        let trade = &menu.header[0].children[0];
        assert_eq!((trade.id.as_str(), trade.name_sa.as_str()), ("trade", "trade"));
        assert_eq!(menu.id, "menu");
    }

    #[test]
    fn entries_without_their_value_are_left_out() {
        let mut parent = item("more", "");
        parent.children = vec![item("mail", "mailto:{email}")];
        let mut call = item("call", "tel:{phone}");
        call.name_sa = "{phone}".to_owned();
        let header = vec![
            item("home", "/"),
            item("trade", "{trading}"),
            item("centre", "{main}/education"),
            call,
            parent,
        ];
        let menu = Menu { header, ..Menu::default() };
        let keys = |values: &Placeholders| {
            let header = filled(menu.clone(), values).header;
            header.into_iter().map(|item| item.key).collect::<Vec<_>>()
        };
        assert_eq!(keys(&Placeholders::default()), ["home", "centre"]);
        let phone = Placeholders { phone: "920".to_owned(), ..Placeholders::default() };
        assert_eq!(keys(&phone), ["home", "centre", "call"]);
        let email = Placeholders { email: "a@b.example".to_owned(), ..Placeholders::default() };
        assert_eq!(keys(&email), ["home", "centre", "more"]);
    }

    #[test]
    fn missing_languages_are_filled() {
        for (given, expected) in [
            (["a", "b", "c"], ["a", "b", "c"]),
            (["a", "", ""], ["a", "a", "a"]),
            (["a", "b", ""], ["a", "b", "b"]),
            (["", "b", ""], ["b", "b", "b"]),
            (["a", "", "c"], ["a", "a", "c"]),
            (["", "", ""], ["", "", ""]),
        ] {
            let [mut bare, mut english, mut arabic] = given.map(str::to_owned);
            super::fill(&mut bare, &mut english, &mut arabic);
            assert_eq!([&*bare, &*english, &*arabic], expected, "{given:?}");
        }
    }
}
