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

/// The URL of a GET or HEAD request for a page, and the client that requests it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestedUrl<'a> {
    /// The path.
    pub path: &'a SitePath,
    /// The query as sent.
    pub query: &'a str,
    /// The client's properties in the headers.
    pub profile: &'a ClientProfile,
    /// The visitor by headers, path and query.
    pub visitor: &'a Visitor,
}

/// A redirect to another URL of this site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    /// 301 or 302.
    pub status: StatusCode,
    /// One `/` and a path of this site.
    pub location: String,
    /// The language for the cookie `lang`.
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

/// The redirect of a request, by the first rule that applies; `None` where none applies.
pub(crate) fn decide(request: &RequestedUrl<'_>) -> Option<Redirect> {
    locale::decide(request.path, request.query)
        .or_else(|| activity::decide(request))
        .or_else(|| education::decide(request))
}

#[cfg(test)]
mod tests;
