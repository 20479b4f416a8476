//! What a page's HTML holds, as far as it tells whether two servers send the same page.

use anyhow::ensure;

/// How much the markup of two renderings of one page may differ: class names, marks of frameworks.
const SIZE_SHARE: f64 = 0.15;

/// # Errors
/// It is not the same page: other links, or markup of quite another size.
pub(crate) fn same_page(ours: &str, theirs: &str) -> anyhow::Result<()> {
    let (our_links, their_links) = (links(ours), links(theirs));
    for (at, our_link) in our_links.iter().enumerate() {
        let their_link = their_links.get(at).copied().unwrap_or_default();
        ensure!(their_link == *our_link, "link {at} leads to {their_link:?}, not {our_link:?}");
    }
    let (our_count, their_count) = (our_links.len(), their_links.len());
    ensure!(our_count == their_count, "{their_count} links instead of {our_count}");
    let (our_size, their_size) = (body_markup(ours) as f64, body_markup(theirs) as f64);
    ensure!(
        (their_size / our_size - 1.0).abs() <= SIZE_SHARE,
        "{their_size} bytes of markup instead of {our_size}"
    );
    Ok(())
}

/// The targets of all links, in order.
pub(crate) fn links(html: &str) -> Vec<&str> {
    html.split("<a ")
        .skip(1)
        .filter_map(|rest| rest.split_once('>'))
        .filter_map(|(tag, _)| tag.split_once("href=\""))
        .filter_map(|(_, rest)| rest.split_once('"'))
        .map(|(target, _)| target)
        .collect()
}

/// Bytes between `<body>` and its end, scripts left out: they hold data in each framework's own
/// form.
fn body_markup(html: &str) -> usize {
    let body = html.split_once("<body").map_or(html, |(_, rest)| rest);
    let body = body.split_once("</body>").map_or(body, |(body, _)| body);
    let mut parts = body.split("<script");
    let first = parts.next().map_or(0, str::len);
    let rest = parts.filter_map(|part| part.split_once("</script>"));
    first + rest.map(|(_, after)| after.len()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const PAGE: &str = "<html><head></head><body><a class=\"x\" href=\"/a?b&amp;c\">A</a>\
                        <p>Some text that is long enough to be a page.</p><a href=\"/b\">B</a>\
                        <script>{\"<a href\":1}</script></body></html>";

    #[test]
    fn the_same_page_has_the_same_links_and_about_the_same_size() {
        assert_eq!(links(PAGE), ["/a?b&amp;c", "/b"]);
        same_page(PAGE, PAGE).unwrap();
        // The data in scripts may be of any size.
        same_page(PAGE, &PAGE.replace(":1}", ":123456789012345678901234567890}")).unwrap();
        for (from, to) in [
            ("/b\">B</a>", "/c\">B</a>"),
            ("<a href=\"/b\">B</a>", ""),
            ("</body>", "<a href=\"/d\"></a></body>"),
            ("</p>", " And twice as long is another page, whatever the links.</p>"),
        ] {
            same_page(PAGE, &PAGE.replace(from, to)).unwrap_err();
        }
    }
}
