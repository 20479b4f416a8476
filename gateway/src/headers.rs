//! Headers that every page carries (contract §6).

use http::{HeaderMap, HeaderValue, header};
use sahm_chassis::settings::Settings;

/// What an answer depends on besides its path.
pub(crate) const VARY: &str = "accept-encoding, cookie, user-agent, sec-ch-prefers-color-scheme";

const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; \
    style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
    connect-src 'self'; manifest-src 'self'; frame-src 'none'; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const PERMISSIONS_POLICY: &str = "accelerometer=(), camera=(), geolocation=(), gyroscope=(), \
    magnetometer=(), microphone=(), payment=(), usb=(), browsing-topics=()";

/// Two years; subdomains too.
const HSTS: &str = "max-age=63072000; includeSubDomains";

/// Puts the protective headers on a page.
pub(crate) fn protect(headers: &mut HeaderMap, settings: &Settings) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !settings.environment.is_dev() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
}

/// Says that an answer is one visitor's alone and may not be kept.
pub(crate) fn no_store(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

/// Asks for the client hint that tells the theme, and says what the answer varies by.
pub(crate) fn negotiated(headers: &mut HeaderMap) {
    headers.insert(header::VARY, HeaderValue::from_static(VARY));
    headers.insert(
        header::HeaderName::from_static("accept-ch"),
        HeaderValue::from_static("Sec-CH-Prefers-Color-Scheme"),
    );
}
