//! Decides whether a CDN may store the response to a page request (docs/operations/cdn.md).

use http::{HeaderMap, Uri};
use sahm_chassis::settings::Settings;

use crate::{
    cookies,
    page_cache::{CacheScope, PAGE_VARIANT},
    session::may_be_member,
    state::is_data,
    visitor::{ClientProfile, Locale, Platform, Theme},
};

/// Which caches may store the response to a page request. `remember` is the locale that the response sets in a cookie.
///
/// A CDN may store pages that depend only on the URL and on the page variant that the CDN states. If the stated variant
/// is not the one that the gateway determines, the page is private.
pub(crate) fn scope_of(
    settings: &Settings,
    uri: &Uri,
    headers: &HeaderMap,
    profile: &ClientProfile,
    remember: Option<Locale>,
) -> CacheScope {
    let is_shared = settings.cdn_purge.is_some()
        && headers.get(PAGE_VARIANT).is_some_and(|stated| is_variant(stated.as_bytes(), profile))
        && !is_data(uri.path())
        && remember.is_none()
        && !cookies::names_campaign(uri.query().unwrap_or_default())
        && !may_be_member(headers);
    if is_shared { CacheScope::Shared } else { CacheScope::Private }
}

/// Whether `stated` is the client's page variant, such as `en-us:pc`. There are no variants for the native app, for
/// themes, and for clients without a user agent, to which different redirects apply.
fn is_variant(stated: &[u8], profile: &ClientProfile) -> bool {
    let ClientProfile { locale, platform, theme, has_agent, .. } = profile;
    *has_agent
        && *platform != Platform::App
        && *theme == Theme::Auto
        && stated == format!("{}:{}", locale.as_str(), platform.as_str()).as_bytes()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use http::HeaderValue;
    use sahm_chassis::settings::Process;

    use super::*;
    use crate::visitor::MOBILE_TOKENS;

    const PC: &str = "Mozilla/5.0 (X11; Linux x86_64) Chrome/150";
    const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
    const APP: &str = "Mozilla/5.0 (iPhone) SahmApp/4.2";

    struct Row {
        url: &'static str,
        agent: &'static str,
        headers: &'static [(&'static str, &'static str)],
        remember: Option<Locale>,
        expected: CacheScope,
    }

    /// A request whose response is shared; rows override single fields.
    const SHARED: Row = Row {
        url: "/en-us/news?tab=2",
        agent: PC,
        headers: &[("x-page-variant", "en-us:pc")],
        remember: None,
        expected: CacheScope::Shared,
    };
    const PRIVATE: Row = Row { expected: CacheScope::Private, ..SHARED };

    fn scope(row: &Row, setting: Option<&str>) -> CacheScope {
        let pairs = setting.map(|url| ("SAHM_CDN_PURGE_URL".to_owned(), url.to_owned()));
        let settings = Settings::from_pairs(Process::Gateway, pairs).unwrap();
        let mut headers = HeaderMap::new();
        for &(name, value) in row.headers.iter().chain(&[("user-agent", row.agent)]) {
            if !value.is_empty() {
                headers.append(name, HeaderValue::from_static(value));
            }
        }
        let profile = ClientProfile::from_headers(&headers, &settings.app_user_agent);
        scope_of(&settings, &row.url.parse().unwrap(), &headers, &profile, row.remember)
    }

    #[test]
    fn a_response_is_shared_if_url_and_variant_decide_it() {
        let arabic = &[("x-page-variant", "ar-sa:mobile"), ("cookie", "a=1; lang=ar")];
        let rows = [
            SHARED,
            Row { agent: PHONE, headers: arabic, ..SHARED },
            Row {
                headers: &[("x-page-variant", "en-us:pc"), ("cookie", "vid=1; AGENTID=7")],
                ..SHARED
            },
            // The CDN states no variant, or not the client's.
            Row { headers: &[], ..PRIVATE },
            Row { agent: PHONE, ..PRIVATE },
            Row { agent: "", ..PRIVATE },
            Row { headers: &[("x-page-variant", "en-us:pc"), ("cookie", "lang=ar")], ..PRIVATE },
            Row { agent: APP, headers: &[("x-page-variant", "en-us:app")], ..PRIVATE },
            Row {
                headers: &[("x-page-variant", "en-us:pc"), ("sec-ch-prefers-color-scheme", "dark")],
                ..PRIVATE
            },
            // The request may be a member's, or its response sets a cookie.
            Row {
                headers: &[("x-page-variant", "en-us:pc"), ("cookie", "sahm_session=x")],
                ..PRIVATE
            },
            Row {
                headers: &[
                    ("x-page-variant", "en-us:pc"),
                    ("cookie", "a=1"),
                    ("cookie", "__host-sahm_session=x"),
                ],
                ..PRIVATE
            },
            Row { remember: Some(Locale::EnUs), ..PRIVATE },
            Row { url: "/en-us/news?_pid=a", ..PRIVATE },
            Row { url: "/en-us/news?tab=2&%5Fscnl=42", ..PRIVATE },
            Row { url: "/en-us/news?_c", ..PRIVATE },
            Row { url: "/_data/en-us/news", ..PRIVATE },
        ];
        for (at, row) in rows.iter().enumerate() {
            assert_eq!(scope(row, Some("http://cdn.test/purge")), row.expected, "row {at}");
            assert_eq!(scope(row, None), CacheScope::Private, "row {at} without a CDN");
        }
    }

    #[test]
    fn example_configuration_detects_phones_as_the_gateway_does() {
        let example = include_str!("../../deploy/cdn/varnish.vcl");
        let tokens = format!("\"(?i){}\"", MOBILE_TOKENS.join("|"));
        assert!(example.contains(&tokens), "{tokens}");
    }
}
