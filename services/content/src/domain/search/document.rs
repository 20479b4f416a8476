use crate::domain::{
    Entry, EntryKind, Locale,
    text::html_pieces::{Piece, is_inline, pieces},
};

/// A searchable text in one locale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchDocument {
    /// A kind whose items have pages.
    pub kind: EntryKind,
    pub id: u64,
    pub locale: Locale,
    /// Empty for news articles, whose URLs contain the id.
    pub slug: String,
    /// One line.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// Additional words for the search.
    pub keywords: Vec<String>,
    /// Sanitised HTML.
    pub body_html: String,
    /// The course or channel that contains it; otherwise 0.
    pub parent: u64,
    /// Publication time in epoch seconds; the search does not return it earlier.
    pub published_at: u32,
    /// Whether it belongs to the common questions.
    pub common: bool,
}

impl SearchDocument {
    /// The search document of an entry, or `None` when the entry has no text.
    pub fn of(entry: Entry) -> Option<Self> {
        let (kind, text, locale) = (entry.kind(), entry.text()?.clone(), entry.locale?);
        Some(Self {
            kind,
            id: entry.id,
            locale,
            slug: entry.slug,
            title: text.title,
            summary: text.summary,
            keywords: text.keywords,
            body_html: entry.body_html,
            parent: text.parent,
            published_at: entry.published_at,
            common: text.common,
        })
    }

    /// The path of its page, without locale.
    pub fn link(&self) -> String {
        // The help centre has its own copy of the privacy policy.
        if (self.kind, self.id) == (EntryKind::LegalDocument, 19) {
            return "/support/doc/19".to_owned();
        }
        let path = self.kind.page_path().unwrap_or("/");
        if self.slug.is_empty() {
            format!("{path}{}", self.id)
        } else {
            format!("{path}{}", self.slug)
        }
    }

    /// The body as plain text.
    pub fn body(&self) -> String {
        plain(&self.body_html)
    }

    /// The text outside headings and tables, which do not contain sentences.
    pub fn prose(&self) -> String {
        let without = |html: String, name: &str| {
            let (start, end) = (format!("<{name}"), format!("</{name}>"));
            let parts = html.split(&end).map(|part| part.split(&start).next().unwrap_or_default());
            parts.collect::<Vec<_>>().join(" ")
        };
        plain(&["table", "h2", "h3"].into_iter().fold(self.body_html.clone(), without))
    }
}

/// Strips the tags of sanitised HTML.
fn plain(html: &str) -> String {
    let texts = pieces(html).into_iter().map(|piece| match piece {
        Piece::Text(text) => text,
        Piece::Tag(tag) if is_inline(tag) => "",
        Piece::Tag(_) => " ",
    });
    let out: String = texts.collect();
    let out = out.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
    let out = out.replace("&quot;", "\"").replace("&amp;", "&");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_excludes_headings_and_tables() {
        let document = SearchDocument {
            kind: EntryKind::HelpDocument,
            id: 1,
            locale: Locale::EnUs,
            slug: String::new(),
            title: String::new(),
            summary: String::new(),
            keywords: Vec::new(),
            body_html: "<h2 id=\"a\">Head</h2><p>One</p><h3>Sub</h3>\
                        <table class=\"a\"><tr><td>USD 300</td></tr></table><p>two</p>\
                        <table><tr><td>3</td></tr></table>"
                .into(),
            parent: 0,
            published_at: 0,
            common: false,
        };
        assert_eq!(
            (document.prose(), document.body()),
            ("One two".into(), "Head One Sub USD 300 two 3".into())
        );
    }

    #[test]
    fn body_excludes_tags() {
        assert_eq!(plain("<p>One <b>two</b></p>\n<p>A &amp; B&nbsp;&lt;c</p>"), "One two A & B <c");
        assert_eq!(plain("bare"), "bare");
        assert_eq!(
            plain("<ul><li><a href=\"/a\">One</a>.</li><li>Two<br>3</li></ul>"),
            "One. Two 3"
        );
    }
}
