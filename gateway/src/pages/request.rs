//! A request for a page: the resolution of its URL, its visitor, and its cache key.

use crate::{
    page_cache::{Key, Kind},
    routes::{DeclaredQuery, Match},
    visitor::{Locale, Visitor},
};

#[derive(Clone, Debug)]
pub(crate) struct PageRequest {
    pub visitor: Visitor,
    /// The page and its path parameters; `None` if no page matches the path.
    pub found: Option<Match>,
    /// The path without locale prefix, in canonical percent-encoding; empty for home.
    pub path: String,
    /// The requested path, if it belongs to an app beside this site (docs/redirects.md). Its locale is in the query
    /// parameter `lang`.
    pub app_path: Option<String>,
    pub query: DeclaredQuery,
    /// The requested path and declared query, locale prefix included.
    pub url: String,
    /// The locale that the query chose, to be set in a cookie.
    pub remember: Option<Locale>,
}

impl PageRequest {
    /// A request for a path that no page matches.
    pub(crate) fn unmatched(visitor: Visitor) -> Self {
        Self {
            visitor,
            found: None,
            path: String::new(),
            app_path: None,
            query: DeclaredQuery::default(),
            url: String::new(),
            remember: None,
        }
    }

    /// The request with the page's canonical URL, so that one cache entry serves every spelling.
    pub(crate) fn with_canonical_url(mut self) -> Self {
        let locale = self.visitor.locale;
        self.url = match &self.app_path {
            Some(path) => {
                let lang = if self.query.is_empty() { "?lang=" } else { "&lang=" };
                url_of(path, &self.query) + lang + locale.tag()
            }
            None => locale.prefix().to_owned() + &url_of(&self.path, &self.query),
        };
        self
    }

    /// The request without a query parameter.
    pub(crate) fn without(mut self, parameter: &str) -> Self {
        self.query.remove(parameter);
        self.with_canonical_url()
    }

    /// The cache key of its HTML, or of its data.
    pub(crate) fn key(&self, kind: Kind) -> Key {
        if self.found.is_none() {
            return Key::unmatched(kind, &self.visitor);
        }
        Key::new(kind, &self.visitor, self.requested_path(), self.query.iter())
    }

    /// The requested path without locale prefix.
    pub(crate) fn requested_path(&self) -> &str {
        match (&self.app_path, self.path.as_str()) {
            (Some(path), _) => path,
            (None, "") => "/",
            (None, path) => path,
        }
    }
}

/// A path and its declared query.
fn url_of(path: &str, query: &DeclaredQuery) -> String {
    let mut parameters = form_urlencoded::Serializer::new(query.canonical());
    for (name, value) in [("keyword", &query.keyword), ("cursor", &query.cursor)] {
        if let Some(value) = value {
            parameters.append_pair(name, value);
        }
    }
    let parameters = parameters.finish();
    let separator = if parameters.is_empty() { "" } else { "?" };
    format!("{path}{separator}{parameters}")
}
