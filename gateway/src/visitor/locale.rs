//! The language that a query asks for (docs/redirects.md).

use sahm_proto::Locale;

/// The first `lang` of a query decides; another value counts as absent.
pub(super) fn of_query(query: &str) -> Option<Locale> {
    form_urlencoded::parse(query.as_bytes())
        .find(|(name, _)| name == "lang")
        .and_then(|(_, value)| Locale::parse(&value))
}
