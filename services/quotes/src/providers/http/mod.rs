//! A provider behind an HTTP endpoint.
//!
//! Asked: `POST {SAHM_QUOTES_PROVIDER_URL}` with the JSON `{"codes": ["2222", "AAPL"]}`, at most 50
//! codes a request, and where `SAHM_QUOTES_PROVIDER_TOKEN` is set `authorization: Bearer {token}`.
//! Answered: 200 with the JSON that [`shape`] describes, at most 1 MiB, within 600 ms. Redirects
//! are not followed.

pub mod shape;

use std::{sync::Arc, time::Duration};

use futures_util::{FutureExt, future::BoxFuture};
use sahm_chassis::{
    clock::Clock,
    error::{Error, Result},
    outbound::Outbound,
    settings::Endpoint,
};

use super::QuoteProvider;
use crate::domain::{Calendar, Market, Quote, Security, Session};

/// Codes of one request.
const MAX_CODES: usize = 50;

/// For one request, so that within a page's 800 ms the last known quotes can still be given.
const REQUEST_TIMEOUT: Duration = Duration::from_millis(600);

/// The provider behind an endpoint.
pub struct HttpProvider {
    outbound: Outbound,
    endpoint: Endpoint,
    clock: Clock,
    calendar: Calendar,
}

impl HttpProvider {
    /// Errors: the client cannot be set up.
    pub fn new(endpoint: &Endpoint, clock: Clock, calendar: Calendar) -> anyhow::Result<Self> {
        let outbound = Outbound::new("quotes", REQUEST_TIMEOUT)?;
        Ok(Self { outbound, endpoint: endpoint.clone(), clock, calendar })
    }

    async fn ask(&self, securities: &[Arc<Security>]) -> anyhow::Result<Vec<Quote>> {
        let codes = securities.iter().map(|security| security.code.as_str()).collect::<Vec<_>>();
        let asked = serde_json::json!({ "codes": codes });
        let answer = self.outbound.post_json(&self.endpoint, &asked).await?;
        anyhow::ensure!(answer.status == 200, "answered {}", answer.status.as_u16());
        let now = self.clock.now();
        let session = |market: Market| {
            self.calendar.at(market, now).map_or(Session::Unknown, |time| time.session)
        };
        shape::quotes_of(&answer.body, securities, session)
    }
}

impl QuoteProvider for HttpProvider {
    fn quotes(&self, securities: Vec<Arc<Security>>) -> BoxFuture<'_, Result<Vec<Quote>>> {
        async move {
            let asks = securities.chunks(MAX_CODES).map(|some| self.ask(some));
            let answers = futures_util::future::try_join_all(asks).await;
            let answers = answers.map_err(|error| {
                Error::unavailable(error.context("the market-data provider did not answer"))
            })?;
            Ok(answers.into_iter().flatten().collect())
        }
        .boxed()
    }
}
