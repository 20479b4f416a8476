//! reCAPTCHA.
//!
//! HTTP: the `siteverify` protocol: a form with `secret`, `response` and `remoteip`; the response
//! is `{"success", "score", "action", "hostname"}`. A missing score counts as 0, and a `hostname`
//! must be this site's or white-listed. Local: a token that begins with `bot` scores 0.1, `bad` is
//! invalid, any other scores 0.9.

use std::net::IpAddr;

use http::Uri;
use sahm_chassis::{
    error::{Error, Result},
    outbound::Outbound,
    settings::{Endpoint, Settings},
};
use serde::{Deserialize, Serialize};

/// Upper bound on the length of a token.
const MAX_TOKEN_BYTES: usize = 8 << 10;

/// Verifies tokens.
#[derive(Clone, Debug)]
pub enum Recaptcha {
    /// Over HTTP, for tokens that were created on these hosts.
    Http(Box<(Outbound, Endpoint, SiteHosts)>),
    /// By the token's text.
    Local,
}

#[derive(Serialize)]
struct SiteVerifyRequest<'a> {
    secret: Option<&'a str>,
    response: &'a str,
    remoteip: Option<IpAddr>,
}

#[derive(Deserialize)]
struct SiteVerifyResponse {
    success: bool,
    score: Option<f64>,
    action: Option<String>,
    hostname: Option<String>,
}

/// The hosts of this site's pages.
#[derive(Clone, Debug)]
pub struct SiteHosts {
    own: String,
    allowed: Vec<String>,
    accepts_loopback: bool,
}

impl SiteHosts {
    /// The host of the public URL, the white-listed domains, and in `dev` loopback hosts.
    pub(super) fn new(settings: &Settings) -> SiteHosts {
        let url = settings.public_url.parse::<Uri>().ok();
        let own = url.as_ref().and_then(Uri::host).unwrap_or_default().to_ascii_lowercase();
        let accepts_loopback = settings.environment.is_dev();
        SiteHosts { own, allowed: settings.allowed_hosts.clone(), accepts_loopback }
    }

    fn accepts(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let is_within = |domain: &String| {
            let before = host.strip_suffix(domain.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        let is_loopback = || {
            host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        };
        host == self.own
            || self.allowed.iter().any(is_within)
            || self.accepts_loopback && is_loopback()
    }
}

impl Recaptcha {
    /// The score of a token from 0 to 1; `None` if it is invalid, was used before, or was created
    /// for another action or site.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn assess(
        &self,
        action: &str,
        token: &str,
        address: Option<IpAddr>,
    ) -> Result<Option<f64>> {
        if token.is_empty() || token.len() > MAX_TOKEN_BYTES {
            return Ok(None);
        }
        match self {
            Recaptcha::Local if token == "bad" => Ok(None),
            Recaptcha::Local if token.starts_with("bot") => Ok(Some(0.1)),
            Recaptcha::Local => Ok(Some(0.9)),
            Recaptcha::Http(provider) => {
                let (client, endpoint, hosts) = &**provider;
                let response = verify(client, endpoint, token, address).await;
                let response =
                    response.map_err(|e| Error::unavailable(e.context("recaptcha provider")))?;
                let is_for = response.action.is_none_or(|found| found == action);
                let is_ours = response.hostname.as_ref().is_none_or(|host| hosts.accepts(host));
                if !is_ours {
                    let host = response.hostname;
                    tracing::warn!(host, "a reCAPTCHA token of a host that is not white-listed");
                }
                let score = response.score.unwrap_or(0.0).clamp(0.0, 1.0);
                Ok((response.success && is_for && is_ours).then_some(score))
            }
        }
    }
}

async fn verify(
    client: &Outbound,
    endpoint: &Endpoint,
    token: &str,
    address: Option<IpAddr>,
) -> anyhow::Result<SiteVerifyResponse> {
    let request = client.post(&endpoint.url).form(&SiteVerifyRequest {
        secret: endpoint.token.as_ref().map(|secret| secret.expose().as_str()),
        response: token,
        remoteip: address,
    });
    client.send(request).await?.json()
}
