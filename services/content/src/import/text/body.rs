//! Converts the Markdown of a text to HTML.
use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::sanitise;
use crate::{
    domain::text::html_pieces::{Piece, escaped, name_of, pieces},
    import::{Refusal, media::MediaResolver},
};

/// Maximum length of a text in bytes of Markdown.
pub(crate) const MAX_BODY: usize = 512 * 1024;

pub(crate) struct Body {
    /// Sanitised.
    pub html: String,
    /// Number of words.
    pub words: usize,
    /// Notes for the author on omitted content.
    pub notes: Vec<String>,
}

/// Converts a text. Line numbers of refusals are relative to the text.
pub(crate) fn body(markdown: &str, resolver: &mut MediaResolver<'_>) -> Result<Body, Refusal> {
    if markdown.len() > MAX_BODY {
        return Err(Refusal::new("the text is longer than 512 KB"));
    }
    let strange = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some(at) = markdown.find(strange) {
        let line = 1 + markdown[..at].matches('\n').count();
        return Err(Refusal::at(line, "the text holds control characters"));
    }
    let mut notes = Vec::new();
    let html = place(&sanitise::clean(&to_html(markdown)), resolver, &mut notes)?;
    let words = words(&html);
    if words == 0 && !html.contains("<img ") {
        return Err(Refusal::new("the text is empty"));
    }
    Ok(Body { html, words, notes })
}

fn to_html(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<_> = Parser::new_ext(markdown, options).map(shift_heading).collect();
    make_figure_elements(&mut events);
    let mut out = String::with_capacity(markdown.len() * 5 / 4);
    html::push_html(&mut out, events.into_iter());
    out
}

/// `h1` is reserved for the page, and headings below `h4` look alike.
fn shift_heading(event: Event<'_>) -> Event<'_> {
    let shift = |level| match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H4,
        level => level,
    };
    match event {
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Event::Start(Tag::Heading { level: shift(level), id, classes, attrs })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(shift(level))),
        event => event,
    }
}

/// Turns a picture that is a paragraph by itself into a figure with its title as the caption.
fn make_figure_elements(events: &mut [Event<'_>]) {
    for start in 0..events.len().saturating_sub(2) {
        let Event::Start(Tag::Image { title, .. }) = &events[start + 1] else { continue };
        if !matches!(events[start], Event::Start(Tag::Paragraph)) {
            continue;
        }
        let caption = escaped(title);
        let is_end = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Paragraph));
        let Some(end) = events[start..].iter().position(is_end).map(|at| start + at) else {
            continue;
        };
        let image_end =
            events[start..end].iter().rposition(|event| matches!(event, Event::End(TagEnd::Image)));
        let images = events[start..end]
            .iter()
            .filter(|event| matches!(event, Event::Start(Tag::Image { .. })))
            .count();
        if image_end != Some(end - 1 - start) || images != 1 {
            continue;
        }
        let close = if caption.is_empty() {
            "</figure>\n".to_owned()
        } else {
            format!("<figcaption>{caption}</figcaption></figure>\n")
        };
        if let Event::Start(Tag::Image { title, .. }) = &mut events[start + 1] {
            *title = CowStr::Borrowed("");
        }
        events[start] = Event::Html(CowStr::Borrowed("<figure>"));
        events[end] = Event::Html(close.into());
    }
}

/// Sets path and size of the pictures in a sanitised text, and removes pictures whose files are not
/// in its folder.
fn place(
    html: &str,
    resolver: &mut MediaResolver<'_>,
    notes: &mut Vec<String>,
) -> Result<String, Refusal> {
    let mut picture = |tag: &str| {
        let source = unescaped(attribute(tag, "src").unwrap_or_default());
        let Some(path) = own_path(&source) else {
            notes.push(format!("left out the picture {source}: it is not beside the text"));
            return Ok(Cow::Borrowed(""));
        };
        let media = resolver.take(&path)?;
        let size = match (media.width, media.height) {
            (0, _) | (_, 0) => String::new(),
            (width, height) => format!(" width=\"{width}\" height=\"{height}\""),
        };
        let (path, alt) = (media.name.path(), attribute(tag, "alt").unwrap_or_default());
        let lazy = "loading=\"lazy\" decoding=\"async\"";
        Ok(format!("<img src=\"{path}\" alt=\"{alt}\"{size} {lazy}>").into())
    };
    let pieces = pieces(html).into_iter().map(|piece| match piece {
        Piece::Tag(tag) if is_picture(tag) => picture(tag),
        Piece::Tag(text) | Piece::Text(text) => Ok(Cow::Borrowed(text)),
    });
    Ok(pieces.collect::<Result<String, Refusal>>()?.replace("<figure></figure>", ""))
}

/// Sanitises the translation of a sanitised text. Keeps only pictures of the original, with their
/// original paths and sizes.
pub(crate) fn translated(html: &str, original: &str) -> String {
    let originals: Vec<&str> = pictures(original).collect();
    let picture = |tag: &str| {
        let source = attribute(tag, "src")?;
        let same = originals.iter().find(|image| attribute(image, "src") == Some(source))?;
        let before = attribute(same, "alt")?;
        let alt = attribute(tag, "alt").unwrap_or(before);
        Some(same.replacen(&format!(" alt=\"{before}\""), &format!(" alt=\"{alt}\""), 1))
    };
    let clean = sanitise::clean(html);
    let pieces = pieces(&clean).into_iter().filter_map(|piece| match piece {
        Piece::Tag(tag) if is_picture(tag) => picture(tag).map(Cow::Owned),
        Piece::Tag(text) | Piece::Text(text) => Some(Cow::Borrowed(text)),
    });
    pieces.collect::<String>().replace("<figure></figure>", "")
}

/// The tags of the pictures in a sanitised text.
fn pictures(html: &str) -> impl Iterator<Item = &str> {
    pieces(html).into_iter().filter_map(|piece| match piece {
        Piece::Tag(tag) if is_picture(tag) => Some(tag),
        _ => None,
    })
}

fn is_picture(tag: &str) -> bool {
    name_of(tag) == "img"
}

/// The path of a picture beside the text: relative, with a picture's extension.
fn own_path(source: &str) -> Option<String> {
    let path = percent_decode_str(source).decode_utf8().ok()?.into_owned();
    let extension = path.rsplit_once('.')?.1.to_ascii_lowercase();
    let picture =
        matches!(extension.as_str(), "svg" | "png" | "jpg" | "jpeg" | "webp" | "avif" | "gif");
    let relative = !path.starts_with('/') && !path.contains([':', '\\', '?', '#']);
    (picture && relative).then_some(path)
}

/// The value of an attribute in a serialised tag, still escaped.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let value = tag.split_once(&format!(" {name}=\""))?.1;
    value.split_once('"').map(|(value, _)| value)
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Number of words outside tags.
fn words(html: &str) -> usize {
    let words = |piece: &Piece<'_>| match piece {
        Piece::Tag(_) => 0,
        Piece::Text(text) => text.split_whitespace().count(),
    };
    pieces(html).iter().map(words).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::import::media::{FileSource, inspect_picture};

    struct OnePicture;

    impl FileSource for OnePicture {
        fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Refusal> {
            Ok(Some(match path {
                "images/a b.svg" => {
                    br#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>"#.into()
                }
                "images/bad.svg" => b"<svg><script/></svg>".into(),
                _ => return Ok(None),
            }))
        }
    }

    fn shown(markdown: &str) -> Result<Body, Refusal> {
        body(markdown, &mut MediaResolver::new(&OnePicture))
    }

    fn image() -> String {
        let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>"#;
        let path = inspect_picture(svg.to_vec()).unwrap().name.path();
        format!(
            r#"<img src="{path}" alt="A &amp; B" width="4" height="3" loading="lazy" decoding="async">"#
        )
    }

    #[test]
    fn markdown_is_converted_to_html() {
        let table = [
            ("# One\n\n##### Five", "<h2>One</h2>\n<h4>Five</h4>\n"),
            ("a ~~b~~ **c**", "<p>a <del>b</del> <strong>c</strong></p>\n"),
            (
                "| A | B |\n|---|--:|\n| 1 | 2 |",
                "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody>\n<tr><td>1</td><td>2</td></tr>\n</tbody></table>\n",
            ),
            ("<bdi dir=\"ltr\">2222</bdi>", "<p><bdi dir=\"ltr\">2222</bdi></p>\n"),
            ("a <script>alert(1)</script>", "<p>a </p>\n"),
            ("[a](/en-us/news)", "<p><a href=\"/news\" rel=\"noopener noreferrer\">a</a></p>\n"),
        ];
        for (markdown, html) in table {
            assert_eq!(shown(markdown).unwrap().html, html, "{markdown}");
        }
    }

    #[test]
    fn pictures_beside_the_text_are_included() {
        let image = image();
        let table = [
            ("![A & B](<images/a b.svg>)", format!("<figure>{image}</figure>\n")),
            (
                "![A & B](<images/a b.svg> \"C <b>\")",
                format!("<figure>{image}<figcaption>C &lt;b&gt;</figcaption></figure>\n"),
            ),
            ("x ![A & B](images/a%20b.svg)", format!("<p>x {image}</p>\n")),
            (
                "<figure><img alt='A & B' src='images/a b.svg' onload=a()></figure>",
                format!("<figure>{image}</figure>"),
            ),
        ];
        for (markdown, html) in table {
            let body = shown(markdown).unwrap();
            assert_eq!((body.html, body.notes.len()), (html, 0), "{markdown}");
        }
    }

    #[test]
    fn other_pictures_are_removed() {
        let table = [
            "![a](https://evil.example/a.svg)",
            "![a](//evil.example/a.svg)",
            "![a](javascript:a.svg)",
            "![a](data:image/svg+xml,a.svg)",
            "![a](/media/0123456789abcdef.svg)",
            "<img src=x onerror=alert(1)>",
            "<img>",
        ];
        for markdown in table {
            let body = shown(&format!("{markdown}\n\ntext")).unwrap();
            assert!(!body.html.contains("<img"), "{}", body.html);
            assert!(!body.html.contains("<figure"), "{}", body.html);
            assert_eq!(body.notes.len(), 1);
        }
    }

    #[test]
    fn refusals_name_line_and_reason() {
        let table = [
            ("", None, "the text is empty"),
            ("<!-- a -->", None, "the text is empty"),
            ("<script>a</script>", None, "the text is empty"),
            ("a\n\0b", Some(2), "the text holds control characters"),
            ("![a](images/c.svg)", None, "picture images/c.svg: there is no such file"),
            ("![a](images/bad.svg)", None, "picture images/bad.svg: is no picture of a known kind"),
        ];
        for (markdown, line, reason) in table {
            let refusal = shown(markdown).err().unwrap();
            assert_eq!((refusal.line, refusal.reason.as_str()), (line, reason), "{markdown:?}");
        }
    }

    #[test]
    fn translations_are_sanitised() {
        let image = image();
        let original = format!("<p>One</p><figure>{image}</figure>");
        let source = attribute(&image, "src").unwrap();
        let other = image.replace("A &amp; B", "أ");
        let table = [
            ("<p onclick=a()>واحد</p><script>a()</script>".to_owned(), "<p>واحد</p>".to_owned()),
            (
                format!("<figure><img src=\"{source}\" alt=\"أ\"></figure>"),
                format!("<figure>{other}</figure>"),
            ),
            (format!("<img src='{source}' onerror=a()>"), image.clone()),
            (
                "<figure><img src=\"https://evil.example/a.png\"></figure>a".to_owned(),
                "a".to_owned(),
            ),
            ("<img>a".to_owned(), "a".to_owned()),
        ];
        for (html, expected) in table {
            assert_eq!(translated(&html, &original), expected, "{html}");
        }
    }

    #[test]
    fn words_of_html_are_counted_between_tags() {
        assert_eq!(words("one <b>two three</b><p>four</p>"), 4);
        assert_eq!(words(""), 0);
    }

    proptest! {
        #[test]
        fn body_accepts_any_text(markdown in "(![a]\\(|<img src=|images/a b.svg|\\)|[<>#|*_`\"' \n-]|[a-z]{1,5}|\\PC){0,40}") {
            if let Ok(body) = shown(&markdown) {
                for image in body.html.split("<img").skip(1) {
                    prop_assert!(image.starts_with(" src=\"/media/"), "{}", body.html);
                }
            }
        }
    }
}
