//! The ordered redirect rules of contract §4: pure, from path, query and visitor to a decision.

mod locale;

use http::StatusCode;

use crate::{path::SitePath, visitor::Locale};

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

/// Judges a GET or HEAD of a page; `None`: serve it where it is.
pub(crate) fn decide(path: &SitePath, query: &str) -> Option<Redirect> {
    locale::decide(path, query)
}

/// `path?query`, without the `?` where the query is empty.
fn with_query(path: &str, query: &str) -> String {
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}
