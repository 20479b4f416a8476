//! Endpoints of external providers: SMS, prices, translations and others.
use super::{reader::Reader, values::Secret};

/// The URL of a provider and our credential for it.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// An `http` or `https` URL, with its path.
    pub url: String,
    /// Its token or secret; unset: it requires none.
    pub token: Option<Secret<String>>,
}

/// Reads an endpoint from two settings; `None` if no URL is set.
pub(super) fn endpoint(r: &mut Reader, url: &str, token: &str) -> Option<Endpoint> {
    let (address, token) = (r.optional(url), r.optional(token).map(Secret::new));
    let address = address?;
    if !is_provider_url(&address) {
        r.invalid(url, "a URL like https://provider.example/path");
        return None;
    }
    Some(Endpoint { url: address, token })
}

/// Whether a text is an `http` or `https` URL of a host, without a name or password.
pub(super) fn is_provider_url(text: &str) -> bool {
    text.parse::<http::Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.host().is_some_and(|host| !host.is_empty())
            && !uri.authority().is_some_and(|authority| authority.as_str().contains('@'))
    })
}
