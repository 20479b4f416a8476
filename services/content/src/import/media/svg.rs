//! Validates SVG files: accepted ones contain no scripts and no external references.
//!
//! svg-hush also uses allowlists, but silently removes all other elements, so authors would not
//! notice that their drawing is incomplete.
use std::collections::HashMap;

use roxmltree::{Document, Node, ParsingOptions};

const SVG: &str = "http://www.w3.org/2000/svg";
/// Namespaces of other languages that browsers render inside SVG.
const RENDERED: [&str; 2] = ["http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML"];
const XLINK: &str = "http://www.w3.org/1999/xlink";
const XML: &str = "http://www.w3.org/XML/1998/namespace";
const MAX_NODES: u32 = 50_000;
/// Maximum number of elements of a drawing after `use` and `url(#…)` references are expanded.
const MAX_EXPANDED_ELEMENTS: u32 = 50_000;
/// Maximum depth of such references.
const MAX_REFERENCE_DEPTH: u32 = 8;

/// Elements that only draw, animate or describe; they cannot run scripts, embed or fetch.
#[rustfmt::skip]
const ALLOWED_ELEMENTS: [&str; 59] = [
    "svg", "g", "defs", "symbol", "use", "switch", "view", "a", "style",
    "title", "desc", "metadata",
    "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
    "text", "tspan", "textPath",
    "marker", "pattern", "clipPath", "mask", "linearGradient", "radialGradient", "stop",
    "animate", "animateMotion", "animateTransform", "mpath", "set",
    "filter", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix",
    "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood",
    "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feMerge", "feMergeNode",
    "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile",
    "feTurbulence",
];

/// Validates an SVG file and returns its width and height in pixels, 0 if unknown. The error is the
/// reason for the author.
pub(crate) fn inspect(body: &[u8]) -> Result<(u32, u32), String> {
    let text = std::str::from_utf8(body).map_err(|_| "is no picture of a known kind")?;
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with('<') {
        return Err("is no picture of a known kind".into());
    }
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| format!("is not well-formed SVG: {error}"))?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" || root.tag_name().namespace() != Some(SVG) {
        return Err("is no picture of a known kind".into());
    }
    let elements = document.descendants();
    let targets = elements.filter_map(|node| Some((node.attribute("id")?, node))).collect();
    expand(root, &targets, 0, &mut { MAX_EXPANDED_ELEMENTS })?;
    for node in document.descendants() {
        if node.is_pi() {
            return Err("holds a processing instruction".into());
        }
        if node.is_element() {
            element(node)?;
        }
    }
    Ok(size(root))
}

/// The elements of a document by id.
type Targets<'a, 'input> = HashMap<&'a str, Node<'a, 'input>>;

/// Counts the elements that a browser renders for a node with its references expanded. Nested
/// references multiply.
fn expand<'a, 'input>(
    node: Node<'a, 'input>,
    targets: &Targets<'a, 'input>,
    depth: u32,
    left: &mut u32,
) -> Result<(), String> {
    if depth > MAX_REFERENCE_DEPTH {
        return Err(format!("nests references more than {MAX_REFERENCE_DEPTH} deep"));
    }
    for element in node.descendants().filter(Node::is_element) {
        let too_many = || format!("draws more than {MAX_EXPANDED_ELEMENTS} elements");
        *left = left.checked_sub(1).ok_or_else(too_many)?;
        let is_use = element.tag_name().name().eq_ignore_ascii_case("use");
        for attribute in element.attributes() {
            let value = attribute.value();
            let used = is_use && attribute.name().eq_ignore_ascii_case("href");
            let used = value.trim().strip_prefix('#').filter(|_| used);
            let styled = value.split("url(").skip(1).filter_map(|rest| {
                let quoted = |c: char| c.is_whitespace() || c == '"' || c == '\'';
                rest.split(')').next()?.trim_matches(quoted).strip_prefix('#')
            });
            for id in used.into_iter().chain(styled) {
                if let Some(target) = targets.get(id) {
                    expand(*target, targets, depth + 1, left)?;
                }
            }
        }
    }
    Ok(())
}

fn element(node: Node<'_, '_>) -> Result<(), String> {
    let (name, namespace) = (node.tag_name().name(), node.tag_name().namespace());
    let is_allowed = match namespace {
        Some(SVG) => ALLOWED_ELEMENTS.contains(&name),
        None | Some("") => false,
        // Browsers ignore elements in the private namespaces of drawing programs.
        Some(other) => !RENDERED.contains(&other),
    };
    if !is_allowed {
        return Err(format!("holds the element {name}"));
    }
    for attribute in node.attributes() {
        let (name, value) = (attribute.name(), attribute.value());
        let lower = name.to_ascii_lowercase();
        if lower.starts_with("on") {
            return Err(format!("holds the event handler {name}"));
        }
        let link = lower == "href" || lower == "src" || attribute.namespace() == Some(XLINK);
        if link && lower != "type" && !value.trim().starts_with('#') {
            return Err(format!("refers to something outside itself ({name})"));
        }
        if lower == "base" && attribute.namespace() == Some(XML) {
            return Err("refers to something outside itself (xml:base)".into());
        }
        if lower == "attributename" {
            animated(value)?;
        }
        if !lower.starts_with("aria-") && !lower.starts_with("data-") {
            style(value)?;
        }
    }
    if name == "style" {
        let text: String =
            node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect();
        style(&text)?;
    }
    Ok(())
}

/// An animation must not set a link or an event handler.
fn animated(attribute: &str) -> Result<(), String> {
    let name = attribute.trim().to_ascii_lowercase();
    let bare = name.rsplit(':').next().unwrap_or_default();
    if bare == "href" || bare.starts_with("on") {
        return Err(format!("animates the attribute {attribute}"));
    }
    Ok(())
}

/// Styles may refer to parts of the same file only.
fn style(text: &str) -> Result<(), String> {
    let text = text.to_ascii_lowercase();
    // Escapes and comments can hide the words below.
    if text.contains('\\') || text.contains("/*") {
        return Err("holds escapes or comments in its styles".into());
    }
    for word in ["@import", "javascript:", "expression(", "image(", "image-set(", "data:"] {
        if text.contains(word) {
            return Err(format!("refers to something outside itself ({word})"));
        }
    }
    for (at, _) in text.match_indices("url(") {
        let target = text[at + 4..].trim_start_matches([' ', '\t', '\n', '\r', '"', '\'']);
        if !target.starts_with('#') {
            return Err("refers to something outside itself (url)".into());
        }
    }
    Ok(())
}

/// The size of the root element, with that of its `viewBox` as fallback.
fn size(root: Node<'_, '_>) -> (u32, u32) {
    let size_of = |name| root.attribute(name).and_then(pixels);
    if let (Some(width), Some(height)) = (size_of("width"), size_of("height")) {
        return (width, height);
    }
    let numbers: Vec<u32> = root
        .attribute("viewBox")
        .unwrap_or_default()
        .split([' ', ',', '\n', '\t'])
        .filter(|part| !part.is_empty())
        .skip(2)
        .filter_map(pixels)
        .collect();
    match numbers[..] {
        [width, height] => (width, height),
        _ => (0, 0),
    }
}

fn pixels(text: &str) -> Option<u32> {
    let number: f64 = text.trim().trim_end_matches("px").parse().ok()?;
    (1.0..=100_000.0).contains(&number).then(|| number.round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(root: &str, inside: &str) -> String {
        format!(r#"<svg xmlns="{SVG}" xmlns:xlink="{XLINK}" {root}>{inside}</svg>"#)
    }

    #[test]
    fn size_is_read_from_root_or_view_box() {
        let table = [
            (r#"width="1200" height="675""#, (1200, 675)),
            (r#"width="12px" height="6.6px""#, (12, 7)),
            (r#"viewBox="0 0 1200 675""#, (1200, 675)),
            (r#"viewBox="0,0,10,20" width="100%""#, (10, 20)),
            (r#"width="-1" height="NaN" viewBox="0 0 3 4""#, (3, 4)),
            ("", (0, 0)),
        ];
        for (root, size) in table {
            assert_eq!(inspect(svg(root, "<g/>").as_bytes()), Ok(size), "{root}");
        }
    }

    #[test]
    fn plain_drawings_are_accepted() {
        let table = [
            r##"<defs><linearGradient id="a"/></defs><rect fill="url(#a)"/>"##,
            r##"<use href="#a"/><use xlink:href="#b"/>"##,
            r#"<style>rect{fill:red}</style>"#,
            r##"<a href="#x"><text>one</text></a>"##,
            r#"<animate attributeName="x" from="0" to="1"/>"#,
            r#"<title>A title</title><!-- a comment -->"#,
            r#"<filter id="a"><feGaussianBlur stdDeviation="2"/></filter>"#,
            r#"<i:view xmlns:i="http://www.inkscape.org/namespaces/inkscape" zoom="1"/>"#,
        ];
        for inside in table {
            assert!(inspect(svg("", inside).as_bytes()).is_ok(), "{inside}");
        }
    }

    #[test]
    fn scripts_and_external_references_are_refused() {
        let table = [
            "<script>alert(1)</script>",
            "<SCRIPT/>",
            "<discard/>",
            "<unknown/>",
            r#"<rect xmlns=""/>"#,
            r#"<math xmlns="http://www.w3.org/1998/Math/MathML"/>"#,
            r#"<x:script xmlns:x="http://www.w3.org/2000/svg">a()</x:script>"#,
            r#"<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>"#,
            r#"<img xmlns="http://www.w3.org/1999/xhtml" src="a"/>"#,
            r#"<rect onload="a()"/>"#,
            r#"<rect ONCLICK="a()"/>"#,
            r#"<use href="https://evil.example/a.svg#b"/>"#,
            r#"<use xlink:href="//evil.example/a.svg#b"/>"#,
            r#"<use href="data:image/svg+xml,a#b"/>"#,
            r#"<a href="javascript:alert(1)"><rect/></a>"#,
            r#"<a href="java&#10;script:alert(1)"><rect/></a>"#,
            r#"<image href="a.png"/>"#,
            r#"<feImage href="a.png"/>"#,
            r#"<rect fill="url(https://evil.example/a)"/>"#,
            r#"<rect style="fill:url( 'https://evil.example/a' )"/>"#,
            r#"<rect style="fill:u\72l(https://evil.example/a)"/>"#,
            r#"<style>@import "https://evil.example/a.css";</style>"#,
            r#"<style><![CDATA[@import "a.css";]]></style>"#,
            r#"<style>a{background:URL(//evil.example)}</style>"#,
            r#"<set attributeName="href" to="javascript:alert(1)"/>"#,
            r#"<set attributeName="xlink:href" to="a"/>"#,
            r#"<animate attributeName="onclick" values="a"/>"#,
            r#"<g xml:base="https://evil.example/"/>"#,
            "<unclosed>",
        ];
        for inside in table {
            assert!(inspect(svg("", inside).as_bytes()).is_err(), "{inside}");
        }
    }

    #[test]
    fn exponential_references_are_refused() {
        let nested = |levels: u32, link: &str, copies: usize| {
            let level = |level: u32| {
                let link = link.replace('?', &(level - 1).to_string()).repeat(copies);
                format!(r#"<g id="a{level}">{link}</g>"#)
            };
            let levels: String = (1..=levels).map(level).collect();
            format!(r#"<defs><rect id="a0"/>{levels}</defs>"#)
        };
        let (used, linked) = (r##"<use href="#a?"/>"##, r##"<use xlink:href="#a?"/>"##);
        let filled = r#"<rect fill="url( '#a?' )"/>"#;
        let bombs = [
            nested(39, used, 2),
            nested(7, used, 10),
            nested(6, linked, 20),
            nested(6, filled, 20),
            r##"<g id="a"><use href="#a"/></g>"##.to_owned(),
            r##"<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>"##.to_owned(),
        ];
        for inside in bombs {
            let reason = inspect(svg("", &inside).as_bytes()).expect_err("a bomb");
            assert!(reason.contains("references") || reason.contains("elements"), "{reason}");
        }
        for inside in [nested(3, used, 10), nested(8, used, 1), nested(2, filled, 30)] {
            assert!(inspect(svg("", &inside).as_bytes()).is_ok(), "{inside}");
        }
    }

    #[test]
    fn other_files_are_refused_as_svg() {
        let laughs = concat!(
            r#"<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>"#,
            r#"<svg xmlns="http://www.w3.org/2000/svg">&b;</svg>"#
        );
        let outside = concat!(
            r#"<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>"#,
            r#"<svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>"#
        );
        let sheet = r#"<?xml-stylesheet href="a.css"?><svg xmlns="http://www.w3.org/2000/svg"/>"#;
        let deep = "<g>".repeat(200_000);
        for text in [laughs, outside, sheet, "<svg/>", "<html/>", "", "text", &deep] {
            assert!(inspect(text.as_bytes()).is_err());
        }
    }
}
