//! The visitor of a request (docs/sessions.md): locale, platform and theme, determined only by the request.

mod agent;
mod client_profile;
mod platform;
mod theme;

pub use agent::AgentId;
pub use client_profile::ClientProfile;
#[cfg(test)]
pub(crate) use platform::MOBILE_TOKENS;
pub use platform::Platform;
pub use sahm_proto::Locale;
pub use theme::Theme;

use http::{HeaderMap, header};

/// The properties of a visitor that a page may depend on; part of the page's cache key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visitor {
    /// Language of the page.
    pub locale: Locale,
    /// Kind of device.
    pub platform: Platform,
    /// Colour scheme, if the server can know it.
    pub theme: Theme,
}

impl Visitor {
    /// The visitor of a request. The locale is that of the path's prefix, else the query's, else the profile's.
    pub fn of(path_locale: Option<Locale>, query: &str, profile: &ClientProfile) -> Self {
        let locale = path_locale.or_else(|| locale_of_query(query)).unwrap_or(profile.locale);
        Self { locale, platform: profile.platform, theme: profile.theme }
    }
}

/// The language that the first `lang` of a query names; an unknown language counts as absent (docs/redirects.md).
pub fn locale_of_query(query: &str) -> Option<Locale> {
    form_urlencoded::parse(query.as_bytes())
        .find(|(name, _)| name == "lang")
        .and_then(|(_, value)| Locale::parse(&value))
}

/// Names and values of all cookies, as sent. HTTP/2 may send a `cookie` line for each cookie (RFC 9113 §8.2.3).
/// Names and values are bytes, so that a cookie that is not UTF-8 does not hide the others.
pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&[u8], &[u8])> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .flat_map(|line| line.as_bytes().split(|byte| *byte == b';'))
        .filter_map(|pair| {
            let pair = pair.trim_ascii();
            let (name, value) = pair.split_at(pair.iter().position(|byte| *byte == b'=')?);
            Some((name, &value[1..]))
        })
}

/// The value of the first cookie of this name, as sent; `None` if it is not text.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let (_, value) = cookies(headers).find(|(found, _)| *found == name.as_bytes())?;
    std::str::from_utf8(value).ok()
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (http::HeaderName::from_static(name), http::HeaderValue::from_static(value))
            })
            .collect()
    }

    proptest! {
        #[test]
        fn cookie_is_found_among_others(
            before in "[ -~&&[^;=]]{0,8}(=[ -~&&[^;]]{0,8})?", value in "[!-~&&[^;]]{0,12}",
            after in "[ -~]{0,12}",
        ) {
            prop_assume!(before.trim().split('=').next() != Some("name"));
            let line = format!("{before}; name={value}; {after}");
            let mut headers = HeaderMap::new();
            if let Ok(line) = http::HeaderValue::from_str(&line) {
                headers.insert("cookie", line);
                prop_assert_eq!(cookie(&headers, "name"), Some(value.as_str()));
                prop_assert_eq!(cookie(&headers, "other\u{0}"), None);
            }
        }
    }

    #[test]
    fn cookie_is_found_beside_non_ascii_bytes_and_in_any_header_line() {
        for lines in [
            &[&b"other=\xff\xfe; name=value"[..]][..],
            &["اسم=قيمة; name=value; x=é".as_bytes()],
            &[b"\xff", b"; ;=;x", b"name=value", b"name=later"],
        ] {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("cookie", http::HeaderValue::from_bytes(line).unwrap());
            }
            assert_eq!(cookie(&headers, "name"), Some("value"), "{lines:?}");
        }
        let mut headers = HeaderMap::new();
        headers.insert("cookie", http::HeaderValue::from_bytes(b"name=\xff; name=x").unwrap());
        assert_eq!(cookie(&headers, "name"), None);
    }

    #[test]
    fn locale_comes_from_path_then_query_then_cookie() {
        let arabic = headers(&[("cookie", "a=1; lang=ar-sa")]);
        let cases = [
            (Some(Locale::EnUs), "lang=ar", &arabic, Locale::EnUs),
            (None, "lang=en", &arabic, Locale::EnUs),
            (None, "lang=fr", &arabic, Locale::ArSa),
            (None, "lang=fr&lang=en", &arabic, Locale::ArSa),
            (None, "", &arabic, Locale::ArSa),
            (None, "x=1&lang=AR_sa", &HeaderMap::new(), Locale::ArSa),
            (None, "", &headers(&[("cookie", "lang=de")]), Locale::EnUs),
            (None, "", &HeaderMap::new(), Locale::EnUs),
        ];
        for (path, query, headers, expected) in cases {
            let profile = ClientProfile::from_headers(headers, "SahmApp/");
            let visitor = Visitor::of(path, query, &profile);
            assert_eq!(visitor.locale, expected, "{path:?} {query:?}");
        }
    }

    #[test]
    fn theme_is_the_apps_own_or_the_client_hint() {
        let cases = [
            ("SahmApp/3 Theme/dark", None, Theme::Dark),
            ("SahmApp/3", Some("dark"), Theme::Light),
            ("Mozilla", Some("dark"), Theme::Dark),
            ("Mozilla", Some("\"light\""), Theme::Light),
            ("Mozilla", Some("sepia"), Theme::Auto),
            ("Mozilla", None, Theme::Auto),
        ];
        for (agent, hint, expected) in cases {
            let mut headers = headers(&[("user-agent", agent)]);
            if let Some(hint) = hint {
                headers.insert("sec-ch-prefers-color-scheme", http::HeaderValue::from_static(hint));
            }
            assert_eq!(
                ClientProfile::from_headers(&headers, "SahmApp/").theme,
                expected,
                "{agent}"
            );
        }
    }
}
