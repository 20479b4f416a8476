//! reCAPTCHA.
//!
//! HTTP: the `siteverify` protocol: a form with `secret`, `response` and `remoteip`, answered by
//! `{"success", "score", "action"}`; an answer without a score counts as 1. Local: a token that
//! begins with `bot` scores 0.1, `bad` is none, any other scores 0.9.

use std::net::IpAddr;

use http::{Request, header};
use sahm_chassis::{
    error::{Error, Result},
    outbound::Outbound,
    settings::Endpoint,
};
use serde::Deserialize;

use crate::domain::RecaptchaAction;

/// Tokens are long, not endless.
const TOKEN_BYTES: usize = 8 << 10;

/// Judges tokens.
#[derive(Clone, Debug)]
pub enum Recaptcha {
    /// Over HTTP.
    Http(Box<(Outbound, Endpoint)>),
    /// By their look.
    Local,
}

#[derive(Deserialize)]
struct Verdict {
    success: bool,
    score: Option<f64>,
    action: Option<String>,
}

impl Recaptcha {
    pub(super) fn http(client: Outbound, endpoint: Endpoint) -> Recaptcha {
        Recaptcha::Http(Box::new((client, endpoint)))
    }

    /// The score of a token from 0 to 1; `None` for one that is none, was used or was made for
    /// another action.
    ///
    /// Errors: `Unavailable`.
    pub async fn assess(
        &self,
        action: &RecaptchaAction,
        token: &str,
        address: Option<IpAddr>,
    ) -> Result<Option<f64>> {
        if token.is_empty() || token.len() > TOKEN_BYTES {
            return Ok(None);
        }
        match self {
            Recaptcha::Local if token == "bad" => Ok(None),
            Recaptcha::Local if token.starts_with("bot") => Ok(Some(0.1)),
            Recaptcha::Local => Ok(Some(0.9)),
            Recaptcha::Http(provider) => {
                let (client, endpoint) = &**provider;
                let verdict = verify(client, endpoint, token, address).await;
                let verdict =
                    verdict.map_err(|e| Error::unavailable(e.context("recaptcha provider")))?;
                let is_for = verdict.action.is_none_or(|told| told == action.as_str());
                let score = verdict.score.unwrap_or(1.0).clamp(0.0, 1.0);
                Ok((verdict.success && is_for).then_some(score))
            }
        }
    }
}

async fn verify(
    client: &Outbound,
    endpoint: &Endpoint,
    token: &str,
    address: Option<IpAddr>,
) -> anyhow::Result<Verdict> {
    let request = Request::post(&endpoint.url)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(form(endpoint, token, address).into())?;
    client.send(request).await?.json()
}

fn form(endpoint: &Endpoint, token: &str, address: Option<IpAddr>) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    if let Some(secret) = &endpoint.token {
        form.append_pair("secret", secret.expose());
    }
    form.append_pair("response", token);
    if let Some(address) = address {
        form.append_pair("remoteip", &address.to_string());
    }
    form.finish()
}
