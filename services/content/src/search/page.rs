use crate::domain::Locale;

/// Where the pages of a search come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// News articles.
    News,
    /// College and company articles.
    College,
    /// Help and legal documents.
    Help,
}

/// The kinds that are searched.
pub(crate) const KINDS: [&str; 5] =
    ["news", "college-article", "company-article", "help-document", "legal-document"];

/// What a search can find: a text in one locale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Where it comes from.
    pub source: Source,
    /// One of those that are searched.
    pub kind: &'static str,
    /// Its id there.
    pub id: u64,
    /// The language of the text.
    pub locale: Locale,
    /// Empty for news.
    pub slug: String,
    /// One line.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// Further words by which it is found.
    pub keywords: Vec<String>,
    /// Sanitised HTML.
    pub body_html: String,
    /// The course or channel that holds it; else 0.
    pub parent: u64,
    /// Epoch seconds before which it is not found.
    pub published_at: u32,
    /// Among the common questions.
    pub common: bool,
}

impl Source {
    /// Every source.
    pub const ALL: [Source; 3] = [Self::News, Self::College, Self::Help];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::News => "news",
            Self::College => "college",
            Self::Help => "help",
        }
    }

    /// What a tag of the change log speaks of, where a search can find it.
    pub(super) fn of_tag(tag: &str) -> Option<(Self, u64)> {
        let (source, id) = if let Some(id) = tag.strip_prefix("college:article:") {
            (Self::College, id)
        } else if let Some(id) = tag.strip_prefix("help:doc:") {
            (Self::Help, id)
        } else {
            (Self::News, tag.strip_prefix("news:")?)
        };
        Some((source, id.parse().ok()?))
    }
}

impl Page {
    /// Where it is read: a path of the site without locale.
    pub fn link(&self) -> String {
        match self.kind {
            "news" => format!("/news/content/{}", self.id),
            "company-article" => format!("/company-news/detail/{}", self.slug),
            "help-document" => format!("/support/detail/{}", self.slug),
            // The help centre's own copy of the privacy policy.
            "legal-document" if self.id == 19 => "/support/doc/19".to_owned(),
            "legal-document" => format!("/terms-and-conditions/{}", self.slug),
            _ => format!("/education/article/{}", self.slug),
        }
    }

    /// What names it, in whatever locale.
    pub(super) fn key(&self) -> String {
        key(self.source, self.id)
    }

    /// The text between the tags.
    pub(super) fn body(&self) -> String {
        plain(&self.body_html)
    }

    /// The text outside of tables, whose cells make no sentences.
    pub(super) fn prose(&self) -> String {
        let mut prose = String::with_capacity(self.body_html.len());
        for part in self.body_html.split("</table>") {
            prose.push_str(part.split_once("<table").map_or(part, |(before, _)| before));
            prose.push(' ');
        }
        plain(&prose)
    }
}

pub(super) fn key(source: Source, id: u64) -> String {
    format!("{}:{id}", source.as_str())
}

/// Sanitised HTML has `<` and `>` nowhere but around tags.
fn plain(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    for part in html.split('<') {
        let text = part.split_once('>').map_or(part, |(_, text)| text);
        if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(text);
    }
    let out = out.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
    let out = out.replace("&quot;", "\"").replace("&amp;", "&");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_name_pages() {
        let table = [
            ("news:7", Some((Source::News, 7))),
            ("college:article:8", Some((Source::College, 8))),
            ("help:doc:9", Some((Source::Help, 9))),
            ("news:list:us", None),
            ("help:documents", None),
            ("news:tabs", None),
        ];
        for (tag, named) in table {
            assert_eq!(Source::of_tag(tag), named, "{tag}");
        }
    }

    #[test]
    fn prose_leaves_tables_out() {
        let page = Page {
            source: Source::Help,
            kind: "help-document",
            id: 1,
            locale: Locale::EnUs,
            slug: String::new(),
            title: String::new(),
            summary: String::new(),
            keywords: Vec::new(),
            body_html: "<p>One</p><table class=\"a\"><tr><td>USD 300</td></tr></table><p>two</p>\
                        <table><tr><td>3</td></tr></table>"
                .into(),
            parent: 0,
            published_at: 0,
            common: false,
        };
        assert_eq!((page.prose(), page.body()), ("One two".into(), "One USD 300 two 3".into()));
    }

    #[test]
    fn tags_of_html_are_no_text() {
        assert_eq!(plain("<p>One <b>two</b></p>\n<p>A &amp; B&nbsp;&lt;c</p>"), "One two A & B <c");
        assert_eq!(plain("bare"), "bare");
    }
}
