//! Login to Tadawul.
//!
//! HTTP: `POST` with `{"memberId": "7", "hsNo": "…"}` and the bearer token; the response is
//! `{"url": "https://…"}`. Local: the home page with a ticket that nothing reads.

use sahm_chassis::{
    error::{Error, Result},
    outbound::Outbound,
    settings::Endpoint,
};
use serde::Deserialize;
use serde_json::json;

use crate::domain::{Member, SessionToken};

/// Returns login URLs.
#[derive(Clone, Debug)]
pub enum Tadawul {
    /// Over HTTP.
    Http(Box<(Outbound, Endpoint)>),
    /// The site with this origin.
    Local(String),
}

#[derive(Deserialize)]
struct Login {
    url: String,
}

impl Tadawul {
    /// The URL that logs a member in.
    ///
    /// # Errors
    /// `Unavailable`, also for a URL that browsers should not be redirected to.
    pub async fn login_url(&self, member: &Member) -> Result<String> {
        match self {
            Tadawul::Local(origin) => {
                let ticket = SessionToken::random().into_text();
                Ok(format!("{origin}/?tadawul=simulated&ticket={ticket}"))
            }
            Tadawul::Http(provider) => {
                let (client, endpoint) = &**provider;
                let url = request_url(client, endpoint, member).await;
                url.map_err(|error| Error::unavailable(error.context("tadawul provider")))
            }
        }
    }
}

async fn request_url(
    client: &Outbound,
    endpoint: &Endpoint,
    member: &Member,
) -> anyhow::Result<String> {
    let body = json!({ "memberId": member.id.to_string(), "hsNo": member.account_status.hs_no });
    let login: Login = client.post_json(endpoint, &body).await?.json()?;
    let is_https =
        login.url.parse::<http::Uri>().is_ok_and(|uri| uri.scheme_str() == Some("https"));
    anyhow::ensure!(is_https, "its address is not https");
    Ok(login.url)
}
