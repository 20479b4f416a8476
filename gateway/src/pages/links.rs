//! Links inside imported texts: stored without locale, shown with the page's (contract §5).

use sahm_proto::Locale;

/// What follows a root-relative link that is no page.
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

#[cfg(test)]
mod tests {
    use super::*;

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
