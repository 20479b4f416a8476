//! URL resolution: from a raw URL to a redirect, or to a page with its cache key. A pure function.

use crate::{
    pages::PageRequest,
    path::{PathError, SitePath},
    redirects::{self, Redirect, RequestedUrl},
    routes::{AliasMatch, RouteTable},
    visitor::{ClientProfile, Visitor, locale_of_query},
};

#[derive(Debug)]
pub(crate) enum Resolution {
    /// The URL is malformed: 400.
    Malformed,
    Redirect(Redirect),
    /// A page, or the not-found page.
    Page(Box<PageRequest>),
}

/// Resolves a raw path, without `/_data`, and its query for a client.
pub(crate) fn resolve(
    routes: &RouteTable,
    raw_path: &str,
    query: &str,
    profile: &ClientProfile,
) -> Resolution {
    let path = match SitePath::parse(raw_path) {
        Ok(path) => path,
        Err(PathError::Malformed) => return Resolution::Malformed,
        Err(PathError::Forbidden) => return unmatched(raw_path, query, profile),
    };
    let visitor = Visitor::of(path.locale, query, profile);
    let request = RequestedUrl { path: &path, query, profile, visitor: &visitor };
    if let Some(redirect) = redirects::decide(&request) {
        return Resolution::Redirect(redirect);
    }
    let remember = path.locale.is_none().then(|| locale_of_query(query)).flatten();
    if let Some(found) = routes.find(&path.segments) {
        let query = routes.route(found.page).declared_query(query);
        let request = PageRequest {
            found: Some(found),
            path: path.canonical(),
            query,
            remember,
            ..PageRequest::unmatched(visitor)
        };
        return Resolution::Page(Box::new(request.with_canonical_url()));
    }
    let alias = path.is_app_path().then(|| routes.find_alias(&path.segments, query)).flatten();
    let Some(AliasMatch { found, path: page_path, query: mapped }) = alias else {
        return Resolution::Page(Box::new(PageRequest::unmatched(visitor)));
    };
    let query = routes.route(found.page).declared_query(query).with(mapped);
    let request = PageRequest {
        found: Some(found),
        path: page_path,
        app_path: Some(path.canonical()),
        query,
        remember,
        ..PageRequest::unmatched(visitor)
    };
    Resolution::Page(Box::new(request.with_canonical_url()))
}

/// The visitor of a request; the path may be malformed.
pub(crate) fn visitor(raw_path: &str, query: &str, profile: &ClientProfile) -> Visitor {
    Visitor::of(SitePath::locale_of(raw_path), query, profile)
}

/// The resolution of a path that matches no page.
pub(crate) fn unmatched(raw_path: &str, query: &str, profile: &ClientProfile) -> Resolution {
    Resolution::Page(Box::new(PageRequest::unmatched(visitor(raw_path, query, profile))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use http::{HeaderMap, header};
    use proptest::prelude::*;

    use super::*;
    use crate::{page_cache::Kind, routes::BUILT_IN, visitor::Locale};

    fn page(raw: &str) -> PageRequest {
        let (path, query) = raw.split_once('?').unwrap_or((raw, ""));
        match resolve(
            &BUILT_IN,
            path,
            query,
            &ClientProfile::from_headers(&HeaderMap::new(), "SahmApp/"),
        ) {
            Resolution::Page(request) => *request,
            other => panic!("{raw}: {other:?}"),
        }
    }

    #[test]
    fn equivalent_urls_share_a_key_and_a_canonical_url() {
        let first = page("/en-us/news?tab=2");
        for raw in [
            "/news?tab=2",
            "/news?utm_source=x&tab=2",
            "/n%65ws?tab=2&tab=3",
            "/news?tab=2&lang=en",
        ] {
            let other = page(raw);
            assert_eq!(other.key(Kind::Page).text(), first.key(Kind::Page).text(), "{raw}");
            assert_eq!(other.url, first.url, "{raw}");
        }
        assert_eq!(first.url, "/en-us/news?tab=2");
        assert_ne!(page("/ar-sa/news?tab=2").key(Kind::Page).text(), first.key(Kind::Page).text());
        assert_ne!(first.key(Kind::Data).text(), first.key(Kind::Page).text());
    }

    #[test]
    fn unmatched_paths_share_one_key_without_their_path() {
        for raw in ["/x", "/en-us/y/z", "//evil", "/a%2Fb"] {
            let request = page(raw);
            assert_eq!(
                request.key(Kind::Page).text(),
                page("/nowhere").key(Kind::Page).text(),
                "{raw}"
            );
            assert_eq!((request.url.as_str(), request.path.as_str()), ("", ""));
        }
    }

    fn resolved(path: &str, query: &str, cookie: &str, agent: &str) -> Resolution {
        let mut headers = HeaderMap::new();
        for (name, value) in [(header::COOKIE, cookie), (header::USER_AGENT, agent)] {
            if let Ok(value) = http::HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        }
        resolve(&BUILT_IN, path, query, &ClientProfile::from_headers(&headers, "SahmApp/"))
    }

    proptest! {
        #[test]
        fn any_input_resolves_without_panic(
            path in "/.{0,60}", query in ".{0,60}", cookie in ".{0,40}", agent in ".{0,40}",
        ) {
            match resolved(&path, &query, &cookie, &agent) {
                Resolution::Redirect(redirect) => {
                    let location = &redirect.location;
                    prop_assert!(location.starts_with('/') && !location.starts_with("//"));
                    prop_assert!(!location.contains('\\') || location.contains('?'), "{}", location);
                }
                Resolution::Page(request) => {
                    let key = request.key(Kind::Page);
                    prop_assert!(key.text().chars().all(|letter| !letter.is_control()));
                    prop_assert!(request.found.is_some() || request.url.is_empty());
                }
                Resolution::Malformed => {}
            }
        }

        #[test]
        fn undeclared_parameters_and_cookies_do_not_change_the_request(
            path in "(/en-us|/ar-sa)?/(news|news/us|education|support|feature/college(/course/list)?)",
            query in "((tab|categoryId|page|lang|from)=[a-z0-9]{0,3}&?){0,3}",
            noise in "(utm_[a-z]{1,3}|_pid|_scnl|_c|x)=[a-zA-Z0-9%]{0,6}",
            cookie in "(AGENTID|vid|hs_h5_colorType|sahm_spm_share_data|x)=[a-z0-9]{0,8}",
        ) {
            let plain = resolved(&path, &query, "", "Mozilla/5.0 (X11)");
            let noisy = format!("{query}&{noise}");
            let other = resolved(&path, &noisy, &cookie, "Mozilla/5.0 (Macintosh; other)");
            if let (Resolution::Page(plain), Resolution::Page(other)) = (&plain, &other) {
                for kind in [Kind::Page, Kind::Data] {
                    let (plain, other) = (plain.key(kind), other.key(kind));
                    prop_assert_eq!(plain.text(), other.text());
                }
                prop_assert_eq!(&plain.url, &other.url);
                prop_assert_eq!((&plain.path, &plain.app_path), (&other.path, &other.app_path));
                prop_assert_eq!(&plain.query, &other.query);
                prop_assert_eq!(&plain.found, &other.found);
            } else {
                let is_redirect = |resolution: &Resolution| matches!(resolution, Resolution::Redirect(_));
                prop_assert_eq!(is_redirect(&plain), is_redirect(&other));
            }
        }
    }

    proptest! {
        /// Follows redirects with the cookies that each of them sets.
        #[test]
        fn every_redirect_chain_ends_on_a_page_within_three_hops(
            prefix in "(/(en-us|ar-sa|AR_SA|en_US|fr-fr|[a-z]{2}-[A-Z]{2}))?",
            rest in "(/(activity|seed|pre-activity-new|education|category|course|article|feature\
                |college|list|detail|activitiesr|news|5|%6Eews|%[0-9a-f]{2}|[a-z0-9%.~-]{0,4})){0,4}/?",
            query in "((lang|_lang|_scnl|activityId|urlType|categoryId|courseId|a)\
                =(ar|en|AR_sa|5|fr|%61r|//x|%0a|\\\\)?&?){0,4}",
            agent in 0..4_usize,
            cookie in "((lang|AGENTID)=(ar|en|7|x);?){0,2}",
        ) {
            let agent = ["Mozilla/5.0 (X11)", "Mozilla/5.0 (iPhone)", "SahmApp/4 Theme/dark", ""][agent];
            let path = if prefix.is_empty() && rest.is_empty() { "/".to_owned() } else { prefix + &rest };
            prop_assume!(!path.contains("//"));
            let (mut url, mut cookie) = (format!("{path}?{query}"), cookie);
            let mut hops = 0;
            loop {
                let (path, query) = url.split_once('?').unwrap_or((&url, ""));
                match resolved(path, query, &cookie, agent) {
                    Resolution::Redirect(redirect) => {
                        hops += 1;
                        prop_assert!(hops <= 3, "{} after {}", redirect.location, url);
                        prop_assert!([301, 302].contains(&redirect.status.as_u16()));
                        prop_assert!(redirect.is_same_origin(), "{}", redirect.location);
                        let path = redirect.location.split('?').next().unwrap_or_default();
                        prop_assert!(!path.contains('\\'), "{}", redirect.location);
                        if let Some(locale) = redirect.remember {
                            cookie = format!("lang={}", locale.as_str());
                        }
                        url = redirect.location;
                    }
                    Resolution::Page(_) => break,
                    Resolution::Malformed if hops == 0 => break,
                    Resolution::Malformed => return Err(TestCaseError::fail(url)),
                }
            }
        }
    }

    #[test]
    fn app_urls_show_the_mapped_page_under_their_own_url() {
        let mapped = page("/education/category/5");
        let app = page("/feature/college/course/list?categoryId=5&lang=ar-SA&x=1");
        assert_eq!(app.path, mapped.path);
        assert_eq!(app.found, mapped.found);
        assert_eq!(app.requested_path(), "/feature/college/course/list");
        assert_eq!(app.url, "/feature/college/course/list?categoryId=5&lang=ar-SA");
        assert_eq!((app.visitor.locale, app.remember), (Locale::ArSa, Some(Locale::ArSa)));
        assert_ne!(
            app.key(Kind::Page).text(),
            page("/ar-sa/education/category/5").key(Kind::Page).text()
        );
        let other = page("/feature/college/course/list?categoryId=6&lang=ar-SA");
        assert_ne!(app.key(Kind::Page).text(), other.key(Kind::Page).text());
        let bare = page("/feature/college/course/list");
        assert_eq!(bare.url, "/feature/college/course/list?lang=en-US");
        for raw in ["/ar-sa/feature/college", "/feature/college/course/list?categoryId=..%2F"] {
            assert!(page(raw).found.is_none(), "{raw}");
        }
    }

    #[test]
    fn locale_of_query_is_remembered_only_if_it_chose_the_locale() {
        assert_eq!(page("/news?lang=en").remember, Some(Locale::EnUs));
        assert_eq!(page("/en-us/news?lang=en").remember, None);
        assert_eq!(page("/news?lang=xx").remember, None);
    }
}
