//! schema.org objects of pages (docs/pages.md).

use serde_json::json;

use super::LoadContext;
use crate::{timestamps::rfc3339, visitor::Locale};

/// A text with an author and dates.
pub(super) struct ArticleData<'a> {
    /// `NewsArticle`, `Article` or `LearningResource`.
    pub kind: &'static str,
    pub title: &'a str,
    pub summary: &'a str,
    /// The locale of the text.
    pub locale: &'a str,
    /// Epoch seconds.
    pub published_at: u32,
    /// Epoch seconds; 0 if never updated.
    pub updated_at: u32,
    /// The author; empty for the site.
    pub author: &'a str,
    /// Site path without locale.
    pub path: &'a str,
}

impl LoadContext<'_> {
    pub(super) fn article_json_ld(&self, article: &ArticleData<'_>) -> String {
        let own = Locale::ALL.into_iter().find(|locale| locale.as_str() == article.locale);
        let author = match article.author {
            "" => self.loaders.site.name(own.unwrap_or(Locale::EnUs)),
            author => author,
        };
        json!({
            "@context": "https://schema.org",
            "@type": article.kind,
            "headline": article.title,
            "name": article.title,
            "description": article.summary,
            "inLanguage": own.map_or(article.locale, |own| own.tag()),
            "datePublished": rfc3339(article.published_at),
            "dateModified": rfc3339(article.updated_at.max(article.published_at)),
            "author": { "@type": "Organization", "name": author, "url": &*self.loaders.data.public_url },
            "mainEntityOfPage":
                format!("{}/{}{}", self.loaders.data.public_url, article.locale, article.path),
        })
        .to_string()
    }

    /// The breadcrumb of a page, from names and site paths without locale.
    pub(super) fn breadcrumb_json_ld<'a>(
        &self,
        steps: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Option<String> {
        let items = steps
            .enumerate()
            .map(|(at, (name, path))| {
                json!({
                    "@type": "ListItem",
                    "position": at + 1,
                    "name": name,
                    "item": format!("{}{}{path}", self.loaders.data.public_url, self.locale().prefix()),
                })
            })
            .collect::<Vec<_>>();
        (!items.is_empty()).then(|| {
            json!({
                "@context": "https://schema.org",
                "@type": "BreadcrumbList",
                "itemListElement": items,
            })
            .to_string()
        })
    }
}
