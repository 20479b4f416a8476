//! Links inside imported texts and menus: stored without locale, shown with the page's (docs/pages.md).

use sahm_proto::{Locale, config::v1::NavigationItem};

/// Prefixes of root-relative links that lead to no page.
const FILES: [&str; 4] = ["media/", "assets/", "api/", "/"];

/// Puts the locale's prefix on every link to a page of this site.
pub(super) fn localised(html: &str, locale: Locale) -> String {
    const LINK: &str = "href=\"/";
    let mut parts = html.split(LINK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("href=\"");
        if FILES.iter().any(|file| part.starts_with(file)) {
            out.push('/');
        } else {
            out.push_str(locale.prefix());
            // Home is `/ar-sa`, without a slash at its end.
            if !part.starts_with(['"', '?', '#']) {
                out.push('/');
            }
        }
        out.push_str(part);
    }
    out
}

/// Makes addresses of this site, at `public_url`, paths: the main site of a menu may be this one.
pub(super) fn own(items: &mut [NavigationItem], public_url: &str) {
    for item in items {
        let path = item.url.strip_prefix(public_url).filter(|path| path.starts_with('/'));
        if let Some(path) = path {
            item.url = path.to_owned();
        }
        own(&mut item.children, public_url);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_site_are_paths() {
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
            own(&mut items, "https://a.example");
            assert_eq!([&*items[0].url, &*items[0].children[0].url], [expected; 2]);
        }
    }

    #[test]
    fn page_links_get_the_prefix() {
        for (html, expected) in [
            ("<a href=\"/pricing#us\">", "<a href=\"/ar-sa/pricing#us\">"),
            ("<a href=\"/\">", "<a href=\"/ar-sa\">"),
            ("<a href=\"/?x=1\">", "<a href=\"/ar-sa?x=1\">"),
            ("<a href=\"/media/a.svg\">", "<a href=\"/media/a.svg\">"),
            ("<a href=\"//evil.example\">", "<a href=\"//evil.example\">"),
            ("<a href=\"https://a.example/\">", "<a href=\"https://a.example/\">"),
            ("no link", "no link"),
        ] {
            assert_eq!(localised(html, Locale::ArSa), expected);
        }
    }
}
