//! The ordered redirect rules of docs/redirects.md: pure, from path, query and visitor to a decision.

mod activity;
mod education;
mod locale;
mod query;

use http::StatusCode;

use crate::{
    path::SitePath,
    visitor::{ClientProfile, Locale, Visitor},
};

/// A GET or HEAD of a page, as the rules see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// The path.
    pub path: &'a SitePath,
    /// The query as sent.
    pub query: &'a str,
    /// Who asks, by the headers.
    pub profile: &'a ClientProfile,
    /// Who asks, by headers, path and query.
    pub visitor: &'a Visitor,
}

/// Where a request is sent instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    /// 301 or 302.
    pub status: StatusCode,
    /// One `/` and a path of this site.
    pub location: String,
    /// The language to remember in the cookie `lang`.
    pub remember: Option<Locale>,
}

impl Redirect {
    /// Whether the location is one `/` and a path, which no browser reads as another host: those
    /// drop tabs and line breaks and take `\\` for `/`.
    pub(crate) fn leads_to_this_site(&self) -> bool {
        let mut characters = self.location.chars();
        characters.next() == Some('/')
            && !matches!(characters.next(), Some('/' | '\\'))
            && !self.location.contains(|character: char| character.is_control())
    }

    /// A 302.
    fn found(path: &str, query: &str) -> Self {
        let location = query::join(path, query);
        Self { status: StatusCode::FOUND, location, remember: None }
    }
}

/// Judges a request; `None`: serve it where it is.
pub(crate) fn decide(asked: &Asked<'_>) -> Option<Redirect> {
    locale::decide(asked.path, asked.query)
        .or_else(|| activity::decide(asked))
        .or_else(|| education::decide(asked))
}

#[cfg(test)]
mod tests;
