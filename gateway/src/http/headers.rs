//! Headers that every page carries (docs/page-cache.md).

use std::sync::atomic::{AtomicBool, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue, header};
use sahm_chassis::settings::Settings;

/// The request headers that a page depends on.
const VARY: HeaderValue =
    HeaderValue::from_static("accept-encoding, cookie, user-agent, sec-ch-prefers-color-scheme");

const ACCEPT_CH: HeaderName = HeaderName::from_static("accept-ch");
/// The client hint for the theme.
const CLIENT_HINTS: HeaderValue = HeaderValue::from_static("Sec-CH-Prefers-Color-Scheme");

/// Sources of scripts and frames: this site only.
const OWN: (&str, &str) = ("'self'", "'none'");

/// Those of Google's reCAPTCHA too (<https://developers.google.com/recaptcha/docs/faq>).
const RECAPTCHA: (&str, &str) = (
    "'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
    "https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/",
);

const PERMISSIONS_POLICY: &str = "accelerometer=(), camera=(), geolocation=(), gyroscope=(), \
    magnetometer=(), microphone=(), payment=(), usb=(), browsing-topics=()";

/// Two years; subdomains too.
const HSTS: &str = "max-age=63072000; includeSubDomains";

/// The security headers of every page, built once.
#[derive(Debug)]
pub(crate) struct SecurityHeaders {
    own: HeaderMap,
    with_recaptcha: HeaderMap,
    allows_recaptcha: AtomicBool,
}

impl SecurityHeaders {
    /// The headers of an environment, initially without reCAPTCHA.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            own: security_headers(OWN, settings),
            with_recaptcha: security_headers(RECAPTCHA, settings),
            allows_recaptcha: AtomicBool::new(false),
        }
    }

    pub(crate) fn allow_recaptcha(&self, allows: bool) {
        self.allows_recaptcha.store(allows, Ordering::Relaxed);
    }

    pub(crate) fn allows_recaptcha(&self) -> bool {
        self.allows_recaptcha.load(Ordering::Relaxed)
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        match self.allows_recaptcha() {
            true => &self.with_recaptcha,
            false => &self.own,
        }
    }

    /// Adds the headers to a page.
    pub(crate) fn insert_into(&self, headers: &mut HeaderMap) {
        for (name, value) in self.headers() {
            headers.insert(name, value.clone());
        }
    }
}

fn security_headers(sources: (&str, &str), settings: &Settings) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::try_from(content_security_policy(sources)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if !settings.environment.is_dev() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
    headers
}

fn content_security_policy((scripts, frames): (&str, &str)) -> String {
    format!(
        "default-src 'self'; script-src {scripts}; style-src 'self'; \
         style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; frame-src {frames}; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

/// Forbids storing a response, because it is specific to one visitor.
pub(crate) fn no_store(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

/// Adds `vary`, and requests the client hint for the theme.
pub(crate) fn negotiated(headers: &mut HeaderMap) {
    headers.insert(header::VARY, VARY);
    headers.insert(ACCEPT_CH, CLIENT_HINTS);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sahm_chassis::settings::Process;

    use super::*;

    #[test]
    fn recaptcha_sources_are_in_the_policy_only_while_allowed() {
        let settings = Settings::from_pairs(Process::Gateway, []).unwrap();
        let security_headers = SecurityHeaders::new(&settings);
        for (allows, scripts, frames) in [
            (false, "'self'", "'none'"),
            (
                true,
                "'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
                "https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/",
            ),
            (false, "'self'", "'none'"),
        ] {
            security_headers.allow_recaptcha(allows);
            let mut headers = HeaderMap::new();
            security_headers.insert_into(&mut headers);
            let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            let directive = |name: &str| {
                let mut all = policy.split("; ").filter_map(|one| one.split_once(' '));
                all.find(|(own, _)| *own == name).map(|(_, sources)| sources)
            };
            assert_eq!(directive("script-src"), Some(scripts));
            assert_eq!(directive("frame-src"), Some(frames));
            assert_eq!(directive("connect-src"), Some("'self'"));
            assert_eq!(headers[header::X_FRAME_OPTIONS], "DENY");
            assert!(!policy.contains("unsafe-eval") && !policy.contains("script-src 'unsafe"));
        }
    }
}
