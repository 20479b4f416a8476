//! Sanitises the HTML of texts at import.
use std::{borrow::Cow, collections::HashSet, sync::LazyLock};

use ammonia::{Builder, UrlRelative};

/// Elements that a text may contain.
const ALLOWED_TAGS: &str = "\
    h2 h3 h4 p br hr ul ol li dl dt dd table caption thead tbody tfoot tr th td blockquote \
    cite q a strong em b i s del ins mark small sub sup code pre abbr time bdi span figure \
    figcaption";

/// Elements that are removed together with their contents.
const DROPPED_TAGS: &str = "\
    script style noscript template iframe object embed svg math title textarea select xmp \
    noembed";

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::empty();
    cleaner
        .tags(ALLOWED_TAGS.split_whitespace().chain(["img"]).collect())
        .clean_content_tags(DROPPED_TAGS.split_whitespace().collect())
        .tag_attributes(
            [
                ("a", &["href", "title"][..]),
                ("abbr", &["title"]),
                ("img", &["src", "alt"]),
                ("ol", &["start"]),
                ("td", &["colspan", "rowspan"]),
                ("th", &["colspan", "rowspan", "scope"]),
                ("time", &["datetime"]),
            ]
            .into_iter()
            .map(|(tag, attributes)| (tag, attributes.iter().copied().collect()))
            .collect(),
        )
        .generic_attributes(HashSet::from(["dir", "lang"]))
        .url_schemes(HashSet::from(["https", "http", "mailto", "tel"]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("noopener noreferrer"))
        .strip_comments(true)
        .attribute_filter(attribute);
    cleaner
});

/// Sanitises a text. Pictures keep the path that the author wrote; [`super::body`] replaces it.
pub(crate) fn clean(html: &str) -> String {
    // Character references can encode control characters.
    let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    CLEANER.clean(html).to_string().replace(strange, "")
}

fn attribute<'v>(tag: &str, name: &str, value: &'v str) -> Option<Cow<'v, str>> {
    let kept = match (tag, name) {
        ("a", "href") => return link(value),
        (_, "dir") => matches!(value, "ltr" | "rtl" | "auto"),
        (_, "lang") => {
            (1..=35).contains(&value.len())
                && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        }
        (_, "colspan" | "rowspan") => matches!(value.parse(), Ok(1..=100_u32)),
        ("ol", "start") => value.parse::<u32>().is_ok(),
        ("th", "scope") => matches!(value, "col" | "row"),
        _ => true,
    };
    kept.then_some(Cow::Borrowed(value))
}

/// Validates a link: an http or https URL of another site, a `mailto:` or `tel:` URL, a fragment
/// of the text, or a path of this site. The locale prefix of a path is removed, because pages add
/// their own.
fn link(address: &str) -> Option<Cow<'_, str>> {
    let address = address.trim();
    if address.chars().any(|c| c.is_control() || c == '\\') {
        return None;
    }
    let Some(path) = address.strip_prefix('/') else {
        let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
        let known = matches!(scheme.as_deref(), Some("https" | "http" | "mailto" | "tel"));
        return (known || address.starts_with('#')).then_some(Cow::Borrowed(address));
    };
    if path.starts_with('/') {
        return None;
    }
    let end = path.find(['/', '?', '#']).unwrap_or(path.len());
    let (first, rest) = path.split_at(end);
    if !matches!(first.to_ascii_lowercase().as_str(), "en-us" | "ar-sa") {
        return Some(Cow::Borrowed(address));
    }
    if rest.starts_with("//") {
        return None;
    }
    Some(if rest.starts_with('/') { Cow::Borrowed(rest) } else { format!("/{rest}").into() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn allowed_elements_are_kept() {
        let table = [
            "<h2>Two</h2><h3>Three</h3><h4>Four</h4>",
            "<p>One <strong>two</strong> <bdi>2222</bdi></p>",
            r#"<p dir="ltr" lang="en-US">One</p>"#,
            "<ul><li>One</li></ul>",
            r#"<ol start="3"><li>One</li></ol>"#,
            "<blockquote><p>One</p></blockquote>",
            r#"<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>"#,
            r#"<figure><img src="images/a.svg" alt="A"><figcaption>One</figcaption></figure>"#,
            r#"<p><time datetime="2026-11-21">today</time></p>"#,
        ];
        for html in table {
            assert_eq!(clean(html), html);
        }
    }

    #[test]
    fn attacks_are_removed() {
        let table = [
            ("<script>alert(1)</script>a", "a"),
            ("<p onclick=alert(1)>a</p>", "<p>a</p>"),
            ("<p style=\"background:url(//e)\" class=x id=y>a</p>", "<p>a</p>"),
            ("<svg><script>alert(1)</script></svg>a", "a"),
            ("<math><mi xlink:href=\"javascript:alert(1)\">x</mi></math>a", "a"),
            ("<iframe src=//e></iframe>a", "a"),
            ("<h1>a</h1>", "a"),
            ("<p dir=\"up\" lang=\"a b\">a</p>", "<p>a</p>"),
            (
                "<table><tbody><tr><td rowspan=65000 colspan=0>a</td></tr></tbody></table>",
                "<table><tbody><tr><td>a</td></tr></tbody></table>",
            ),
            (
                "<table><thead><tr><th scope=up>a</th></tr></thead></table>",
                "<table><thead><tr><th>a</th></tr></thead></table>",
            ),
            ("<ol start=x><li>a</li></ol>", "<ol><li>a</li></ol>"),
            ("<!-- a --><p>a</p>", "<p>a</p>"),
            ("<form action=//e><input name=a><button>a</button></form>", "a"),
            ("<meta http-equiv=refresh content=0><base href=//e>a", "a"),
            (
                "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
                "<img src=\"x\">\"&gt;",
            ),
            ("<img src=x onerror=alert(1)>", "<img src=\"x\">"),
            ("<img src=\"javascript:alert(1)\">", "<img>"),
        ];
        for (html, clean_html) in table {
            assert_eq!(clean(html), clean_html, "{html}");
        }
    }

    #[test]
    fn links_are_validated() {
        let table = [
            ("https://example.com/a?b=c#d", Some("https://example.com/a?b=c#d")),
            ("HTTPS://example.com", Some("HTTPS://example.com")),
            ("mailto:a@example.com", Some("mailto:a@example.com")),
            ("tel:+966", Some("tel:+966")),
            ("#part", Some("#part")),
            ("/news/content/1001", Some("/news/content/1001")),
            ("/en-us/news/content/1001", Some("/news/content/1001")),
            ("/ar-SA", Some("/")),
            ("/ar-sa?x=1", Some("/?x=1")),
            ("/en-usual", Some("/en-usual")),
            ("/", Some("/")),
            ("//evil.example", None),
            ("/en-us//evil.example", None),
            ("/\\evil.example", None),
            ("/\t/evil.example", None),
            ("javascript:alert(1)", None),
            (" JaVaScRiPt:alert(1)", None),
            ("java\nscript:alert(1)", None),
            ("data:text/html,a", None),
            ("vbscript:a", None),
            ("page.html", None),
            ("", None),
        ];
        for (address, kept) in table {
            assert_eq!(link(address).as_deref(), kept, "{address:?}");
        }
    }

    #[test]
    fn every_link_has_a_rel_attribute() {
        assert_eq!(
            clean("<a href=\"https://example.com\" target=_blank rel=opener>a</a>"),
            "<a href=\"https://example.com\" rel=\"noopener noreferrer\">a</a>"
        );
    }

    proptest! {
        #[test]
        fn scripts_never_survive(html in "(<[a-z]{1,8}|>|\"|'|=|on[a-z]{3,6}|javascript:|</?script|<!--|-->|[a-z ]{1,4}|&#[0-9]{2};){0,30}") {
            let once = clean(&html);
            prop_assert!(!once.contains("<script"));
            prop_assert!(!once.contains("<!--"));
            for tag in once.split('<').skip(1) {
                let tag = tag.split('>').next().unwrap_or_default();
                prop_assert!(!tag.contains(" on"), "{}", once);
            }
            prop_assert_eq!(clean(&once), once);
        }
    }
}
