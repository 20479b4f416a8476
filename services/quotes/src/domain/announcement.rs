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
    /// Plain-text paragraphs; those that start with `- ` are list items.
    pub paragraphs: Vec<String>,
}

impl Announcement {
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
        let mut in_list = false;
        for paragraph in &self.paragraphs {
            let item = paragraph.strip_prefix("- ");
            if item.is_some() != in_list {
                html.push_str(if in_list { "</ul>" } else { "<ul>" });
                in_list = !in_list;
            }
            let (open, close) = if item.is_some() { ("<li>", "</li>") } else { ("<p>", "</p>") };
            html.push_str(open);
            escape(item.unwrap_or(paragraph), &mut html);
            html.push_str(close);
        }
        if in_list {
            html.push_str("</ul>");
        }
        html
    }
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
    fn body_html_has_paragraphs_and_lists() {
        for (paragraphs, html) in [
            (vec![], ""),
            (vec!["a", "b"], "<p>a</p><p>b</p>"),
            (vec!["a", "- b", "- c", "d"], "<p>a</p><ul><li>b</li><li>c</li></ul><p>d</p>"),
            (vec!["- a"], "<ul><li>a</li></ul>"),
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
