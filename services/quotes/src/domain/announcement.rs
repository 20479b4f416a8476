//! Announcements about the markets.

use std::collections::BTreeMap;

use sahm_proto::Locale;

use super::SecurityCode;

/// An announcement with its texts by locale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Decimal id.
    pub id: u64,
    /// `us`, `saudi`, `all` or empty.
    pub market: String,
    /// Epoch seconds.
    pub published_at: u32,
    /// Whether it is sample content.
    pub sample: bool,
    /// The securities that it is about.
    pub securities: Vec<SecurityCode>,
    /// At least one.
    pub texts: BTreeMap<Locale, AnnouncementText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnouncementText {
    /// Plain text.
    pub title: String,
    /// Plain text.
    pub summary: String,
    /// The issuer.
    pub source: String,
    /// Plain-text paragraphs; those that start with `- ` are list items, those that start with `| `
    /// rows of a table, of which the first is the head.
    pub paragraphs: Vec<String>,
}

impl Announcement {
    /// Its position in lists, which are ordered newest first.
    pub fn position(&self) -> (u64, u64) {
        (self.published_at.into(), self.id)
    }

    /// The text in the requested locale, otherwise in the other one.
    pub fn text(&self, locale: Locale) -> Option<(Locale, &AnnouncementText)> {
        let exact = self.texts.get_key_value(&locale);
        exact.or_else(|| self.texts.first_key_value()).map(|(locale, text)| (*locale, text))
    }
}

impl AnnouncementText {
    /// Converts the plain-text paragraphs to HTML.
    pub fn body_html(&self) -> String {
        let mut html = String::new();
        for block in self.paragraphs.chunk_by(|one, next| marker(one) == marker(next)) {
            match block.first().and_then(|first| marker(first)) {
                Some(LIST_ITEM) => list(block, &mut html),
                Some(_) => table(block, &mut html),
                None => block.iter().for_each(|text| element("p", text, &mut html)),
            }
        }
        html
    }
}

const LIST_ITEM: &str = "- ";
const TABLE_ROW: &str = "| ";

/// The start of a paragraph that makes it a list item or a row of a table.
fn marker(paragraph: &str) -> Option<&'static str> {
    [LIST_ITEM, TABLE_ROW].into_iter().find(|marker| paragraph.starts_with(marker))
}

fn list(items: &[String], html: &mut String) {
    html.push_str("<ul>");
    for item in items {
        element("li", item.strip_prefix(LIST_ITEM).unwrap_or(item), html);
    }
    html.push_str("</ul>");
}

fn table(rows: &[String], html: &mut String) {
    html.push_str("<table>");
    for (index, row) in rows.iter().enumerate() {
        let (open, tag, close) = match index {
            0 => ("<thead><tr>", "th", "</tr></thead><tbody>"),
            _ => ("<tr>", "td", "</tr>"),
        };
        html.push_str(open);
        let cells = row.strip_prefix(TABLE_ROW).unwrap_or(row);
        for cell in cells.strip_suffix(" |").unwrap_or(cells).split(" | ") {
            element(tag, cell, html);
        }
        html.push_str(close);
    }
    html.push_str("</tbody></table>");
}

fn element(tag: &str, text: &str, html: &mut String) {
    html.extend(["<", tag, ">"]);
    escape(text, html);
    html.extend(["</", tag, ">"]);
}

fn escape(text: &str, html: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn text(paragraphs: &[&str]) -> AnnouncementText {
        AnnouncementText {
            title: "Title".into(),
            summary: String::new(),
            source: String::new(),
            paragraphs: paragraphs.iter().map(|&text| text.into()).collect(),
        }
    }

    #[test]
    fn body_html_has_paragraphs_lists_and_tables() {
        for (paragraphs, html) in [
            (vec![], ""),
            (vec!["a", "b"], "<p>a</p><p>b</p>"),
            (vec!["a", "- b", "- c", "d"], "<p>a</p><ul><li>b</li><li>c</li></ul><p>d</p>"),
            (vec!["- a"], "<ul><li>a</li></ul>"),
            (
                vec!["a", "| b | c |", "| <d> | e f |", "- g"],
                "<p>a</p><table><thead><tr><th>b</th><th>c</th></tr></thead>\
                 <tbody><tr><td>&lt;d&gt;</td><td>e f</td></tr></tbody></table><ul><li>g</li></ul>",
            ),
            (
                vec!["| a | b |"],
                "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody></tbody></table>",
            ),
            (vec!["<script> & \"'"], "<p>&lt;script&gt; &amp; &quot;&#39;</p>"),
        ] {
            assert_eq!(text(&paragraphs).body_html(), html);
        }
    }

    #[test]
    fn text_falls_back_to_the_other_locale() {
        let mut announcement = Announcement {
            id: 1,
            market: String::new(),
            published_at: 1,
            sample: true,
            securities: Vec::new(),
            texts: BTreeMap::from([(Locale::ArSa, text(&["س"]))]),
        };
        assert_eq!(announcement.text(Locale::EnUs).unwrap().0, Locale::ArSa);
        announcement.texts.insert(Locale::EnUs, text(&["a"]));
        assert_eq!(announcement.text(Locale::EnUs).unwrap().0, Locale::EnUs);
    }
}
