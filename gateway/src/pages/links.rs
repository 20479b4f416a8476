//! Links in imported texts and menus, which are stored without locale prefix (docs/pages.md).

use sahm_proto::{Locale, config::v1::NavigationItem};

/// Prefixes of root-relative links that do not lead to a page.
const NOT_PAGES: [&str; 4] = ["media/", "assets/", "api/", "/"];

/// The apps beside this site, whose locale is in query `lang` (docs/redirects.md).
const APPS: [&str; 2] = ["feature/", "activitiesr/"];

/// Adds the locale prefix to links to pages of this site, and query `lang` to links to the apps beside it.
pub(super) fn localize_links(html: &str, locale: Locale) -> String {
    const LINK: &str = "href=\"/";
    let mut parts = html.split(LINK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("href=\"");
        if NOT_PAGES.iter().any(|prefix| part.starts_with(prefix)) {
            out.push('/');
        } else if APPS.iter().any(|prefix| part.starts_with(prefix)) {
            let (link, rest) = part.split_at(part.find('"').unwrap_or(part.len()));
            out.push('/');
            out.push_str(&with_lang(link, locale));
            out.push_str(rest);
            continue;
        } else {
            out.push_str(locale.prefix());
            // The home page is `/ar-sa`, without trailing slash.
            if !part.starts_with(['"', '?', '#']) {
                out.push('/');
            }
        }
        out.push_str(part);
    }
    out
}

/// Adds query `lang` to the link of an attribute, unless it has one.
fn with_lang(link: &str, locale: Locale) -> String {
    let (address, fragment) = link.split_at(link.find('#').unwrap_or(link.len()));
    let separator = match address.split_once('?') {
        Some((_, query)) if query.split("&amp;").any(|pair| pair.starts_with("lang=")) => {
            return link.to_owned();
        }
        Some(_) => "&amp;",
        None => "?",
    };
    format!("{address}{separator}lang={}{fragment}", locale.tag())
}

/// Makes URLs of this site relative. Menus contain absolute URLs of the main site, which may be this one.
pub(super) fn make_relative(items: &mut [NavigationItem], public_url: &str) {
    for item in items {
        let path = item.url.strip_prefix(public_url).filter(|path| path.starts_with('/'));
        if let Some(path) = path {
            item.url = path.to_owned();
        }
        make_relative(&mut item.children, public_url);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_this_site_become_paths() {
        for (url, expected) in [
            ("https://a.example/education?x=1", "/education?x=1"),
            ("https://a.example.evil/education", "https://a.example.evil/education"),
            ("https://b.example/education", "https://b.example/education"),
            ("/education", "/education"),
        ] {
            let item = |children| NavigationItem {
                url: url.to_owned(),
                children,
                ..NavigationItem::default()
            };
            let mut items = [item(vec![item(Vec::new())])];
            make_relative(&mut items, "https://a.example");
            assert_eq!([&*items[0].url, &*items[0].children[0].url], [expected; 2]);
        }
    }

    #[test]
    fn page_links_get_the_locale_prefix() {
        for (html, expected) in [
            ("<a href=\"/pricing#us\">", "<a href=\"/ar-sa/pricing#us\">"),
            ("<a href=\"/\">", "<a href=\"/ar-sa\">"),
            ("<a href=\"/?x=1\">", "<a href=\"/ar-sa?x=1\">"),
            ("<a href=\"/media/a.svg\">", "<a href=\"/media/a.svg\">"),
            ("<a href=\"/feature/college\">a", "<a href=\"/feature/college?lang=ar-SA\">a"),
            (
                "<a href=\"/activitiesr/a?x=1#b\">",
                "<a href=\"/activitiesr/a?x=1&amp;lang=ar-SA#b\">",
            ),
            ("<a href=\"/feature/a?lang=en-US\">", "<a href=\"/feature/a?lang=en-US\">"),
            ("<a href=\"//evil.example\">", "<a href=\"//evil.example\">"),
            ("<a href=\"https://a.example/\">", "<a href=\"https://a.example/\">"),
            ("no link", "no link"),
        ] {
            assert_eq!(localize_links(html, Locale::ArSa), expected);
        }
    }
}
