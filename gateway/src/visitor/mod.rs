//! Who is asking (contract §3): locale, platform and theme, from the request alone.

mod agent;
mod asker;
mod locale;
mod platform;
mod theme;

pub use agent::AgentId;
pub use asker::Asker;
pub use platform::Platform;
pub use sahm_proto::Locale;
pub use theme::Theme;

use http::{HeaderMap, header};

/// All that a page may know of the one who asks; part of the page's cache key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visitor {
    /// Language of the page.
    pub locale: Locale,
    /// Kind of device.
    pub platform: Platform,
    /// Colour scheme, where the server can know it.
    pub theme: Theme,
}

impl Visitor {
    /// Judges a request by the locale of its path's prefix, its query, and who asks.
    pub fn of(path_locale: Option<Locale>, query: &str, asker: &Asker) -> Self {
        let locale = path_locale.or_else(|| locale::of_query(query)).unwrap_or(asker.locale);
        Self { locale, platform: asker.platform, theme: asker.theme }
    }
}

/// The first `lang` of a query, when it names a language of this site.
pub fn locale_of_query(query: &str) -> Option<Locale> {
    locale::of_query(query)
}

/// The value of a cookie, as sent.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
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
        fn cookies_are_found_whatever_stands_around_them(
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
            let asker = Asker::of(headers, "SahmApp/");
            let visitor = Visitor::of(path, query, &asker);
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
            assert_eq!(Asker::of(&headers, "SahmApp/").theme, expected, "{agent}");
        }
    }
}
