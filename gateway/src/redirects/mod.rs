//! The redirect rules of docs/redirects.md, in their order: pure functions of path, query and visitor.

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
    pub path: &'a SitePath,
    pub query: &'a str,
    pub profile: &'a ClientProfile,
    pub visitor: &'a Visitor,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    pub status: StatusCode,
    /// Path and query on this site.
    pub location: String,
    /// Locale to set in the cookie `lang`.
    pub remember: Option<Locale>,
}

impl Redirect {
    /// Whether browsers resolve the location to this site. They drop tabs and line breaks and read `\\` as `/`, so
    /// `/\t/host` is another host.
    pub(crate) fn is_same_origin(&self) -> bool {
        let mut characters = self.location.chars();
        characters.next() == Some('/')
            && !matches!(characters.next(), Some('/' | '\\'))
            && !self.location.contains(|character: char| character.is_control())
    }

    fn found(path: &str, query: &str) -> Self {
        let location = query::join(path, query);
        Self { status: StatusCode::FOUND, location, remember: None }
    }
}

/// The redirect of the first rule that applies to a request, if any.
pub(crate) fn decide(request: &RequestedUrl<'_>) -> Option<Redirect> {
    locale::decide(request.path, request.query)
        .or_else(|| activity::decide(request))
        .or_else(|| education::decide(request))
}

#[cfg(test)]
mod tests;
