//! Locale prefixes and the query parameter `lang`: one redirect normalises both (docs/redirects.md).

use http::StatusCode;

use super::{Redirect, query};
use crate::{
    path::{Prefix, SitePath},
    visitor::{Locale, locale_of_query},
};

pub(super) fn decide(path: &SitePath, query: &str) -> Option<Redirect> {
    // The apps beside this site read the language only from the query.
    let requested = if path.is_app_path() { None } else { locale_of_query(query) };
    let (target, remember) = match (requested, path.locale) {
        (Some(Locale::ArSa), current) if current != Some(Locale::ArSa) => {
            (Some(Locale::ArSa), requested)
        }
        (Some(Locale::EnUs), Some(Locale::ArSa)) => (None, requested),
        (_, current) => (current, None),
    };
    let is_permanent = remember.is_some() || path.trailing_slash || path.prefix == Prefix::Misspelt;
    if !is_permanent && path.prefix != Prefix::Unsupported {
        return None;
    }

    let prefix = target.map_or("", Locale::prefix);
    let rest = match (prefix, path.rest.as_str()) {
        ("", "") => "/",
        (_, rest) => rest,
    };
    let query =
        if remember.is_some() { query::without(query, &["lang"]) } else { query.to_owned() };
    Some(Redirect {
        status: if is_permanent { StatusCode::MOVED_PERMANENTLY } else { StatusCode::FOUND },
        location: query::join(&format!("{prefix}{rest}"), &query),
        remember,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hop(url: &str) -> Option<(u16, String)> {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let path = SitePath::parse(path).ok()?;
        decide(&path, query).map(|redirect| (redirect.status.as_u16(), redirect.location))
    }

    #[test]
    fn urls_redirect_in_one_hop() {
        for (url, expected) in [
            ("/", None),
            ("/en-us", None),
            ("/ar-sa/news", None),
            ("/news?lang=en", None),
            ("/ar-sa/news?lang=ar", None),
            ("/news?lang=fr", None),
            ("/en-us/", Some((301, "/en-us"))),
            ("/news/", Some((301, "/news"))),
            ("/ar-SA/x", Some((301, "/ar-sa/x"))),
            ("/AR_sa", Some((301, "/ar-sa"))),
            ("/fr-fr/x", Some((302, "/x"))),
            ("/fr-fr", Some((302, "/"))),
            ("/fr-fr/x/", Some((301, "/x"))),
            ("/news?lang=ar", Some((301, "/ar-sa/news"))),
            ("/?lang=AR_SA&a=1", Some((301, "/ar-sa?a=1"))),
            ("/en-us/news?a=%20b&lang=ar&c&lang=en", Some((301, "/ar-sa/news?a=%20b&c"))),
            ("/fr-fr/news/?lang=ar", Some((301, "/ar-sa/news"))),
            ("/ar-sa/news?lang=en-US&x=1", Some((301, "/news?x=1"))),
            ("/ar-sa?lang=en", Some((301, "/"))),
            ("/ar-SA?lang=fr", Some((301, "/ar-sa?lang=fr"))),
            ("/feature/college?lang=ar", None),
            ("/activitiesr/pre-activity-new?lang=ar-SA", None),
            ("/activitiesr/x/?lang=ar", Some((301, "/activitiesr/x?lang=ar"))),
            ("/fr-fr/feature/x?lang=ar", Some((302, "/feature/x?lang=ar"))),
            ("/feature?lang=ar", Some((301, "/ar-sa/feature"))),
            ("/features/x?lang=ar", Some((301, "/ar-sa/features/x"))),
        ] {
            assert_eq!(
                hop(url),
                expected.map(|(status, location)| (status, location.to_owned())),
                "{url}"
            );
        }
    }
}
