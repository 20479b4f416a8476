//! A minimal HTML reader: tags, attributes, the page's JSON.

use serde_json::Value;

/// A page as a list of its opening tags.
#[derive(Debug)]
pub(crate) struct Html<'a> {
    pub(crate) text: &'a str,
    pub(crate) tags: Vec<Tag<'a>>,
}

/// An opening tag.
#[derive(Debug)]
pub(crate) struct Tag<'a> {
    /// In lower case.
    pub(crate) name: String,
    /// Names in lower case, values without character references.
    pub(crate) attributes: Vec<(String, String)>,
    /// The text after the tag.
    rest: &'a str,
}

impl<'a> Html<'a> {
    pub(crate) fn parse(text: &'a str) -> Self {
        let mut tags = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            rest = &rest[at + 1..];
            if !rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
                continue;
            }
            let tag = Tag::parse(rest);
            rest = tag.rest;
            if matches!(tag.name.as_str(), "script" | "style") {
                rest = &rest[rest.find("</").unwrap_or(rest.len())..];
            }
            tags.push(tag);
        }
        Self { text, tags }
    }

    /// All tags with this name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &Tag<'a>> {
        self.tags.iter().filter(move |tag| tag.name == name)
    }

    /// The only tag with this name.
    pub(crate) fn one(&self, name: &str) -> &Tag<'a> {
        let mut found = self.all(name);
        let first = found.next().unwrap_or_else(|| panic!("no <{name}> in {}", self.text));
        assert!(found.next().is_none(), "more than one <{name}>");
        first
    }

    /// Values of an attribute of the tags with this name and this other attribute.
    pub(crate) fn values(&self, name: &str, attribute: &str, with: (&str, &str)) -> Vec<&str> {
        self.all(name)
            .filter(|tag| tag.get(with.0) == Some(with.1))
            .filter_map(|tag| tag.get(attribute))
            .collect()
    }

    /// The JSON in `#sahm-page`.
    pub(crate) fn payload(&self) -> Value {
        self.json("sahm-page").unwrap()
    }

    /// The JSON in the script with this id, if any.
    pub(crate) fn json(&self, id: &str) -> Option<Value> {
        let script = self.all("script").find(|tag| tag.get("id") == Some(id))?;
        assert_eq!(script.get("type"), Some("application/json"));
        let json = script.rest.split_once("</script>").unwrap().0;
        Some(serde_json::from_str(json).unwrap())
    }
}

impl<'a> Tag<'a> {
    /// Parses a tag after its `<`.
    fn parse(text: &'a str) -> Self {
        let ends = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '>' | '/');
        let end = text.find(ends).unwrap_or(text.len());
        let name = text[..end].to_ascii_lowercase();
        let mut rest = text[end..].trim_start_matches(|l: char| l.is_whitespace() || l == '/');
        let mut attributes = Vec::new();
        while !rest.is_empty() && !rest.starts_with('>') {
            let end = rest.find(|l: char| l == '=' || ends(l)).unwrap_or(rest.len());
            let attribute = rest[..end].to_ascii_lowercase();
            rest = &rest[end..];
            let mut value = "";
            if let Some(quoted) = rest.strip_prefix("=\"") {
                let end = quoted.find('"').unwrap();
                value = &quoted[..end];
                rest = &quoted[end + 1..];
            } else if rest.starts_with('=') {
                panic!("attribute {attribute} of <{name}> is not quoted");
            }
            attributes.push((attribute, plain(value)));
            rest = rest.trim_start_matches(|l: char| l.is_whitespace() || l == '/');
        }
        Self { name, attributes, rest: rest.strip_prefix('>').unwrap_or(rest) }
    }

    pub(crate) fn get(&self, attribute: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == attribute).map(|(_, value)| value.as_str())
    }

    /// The text up to the next tag.
    pub(crate) fn text(&self) -> String {
        plain(self.rest.split('<').next().unwrap_or_default())
    }
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&#x27;", "'")
        .replace("&amp;", "&")
}

#[test]
fn tags_are_parsed() {
    let html = Html::parse(
        "<!doctype html><a b=\"1 &amp; 2\" c d=\"\"/>x &lt; y<script id=\"sahm-page\" \
         type=\"application/json\">{\"a\":\"\\u003cp>\"}</script><P>",
    );
    let names: Vec<_> = html.tags.iter().map(|tag| tag.name.as_str()).collect();
    assert_eq!(names, ["a", "script", "p"]);
    let link = html.one("a");
    assert_eq!((link.get("b"), link.get("c"), link.get("e")), (Some("1 & 2"), Some(""), None));
    assert_eq!(link.text(), "x < y");
    assert_eq!(html.payload(), serde_json::json!({ "a": "<p>" }));
}
