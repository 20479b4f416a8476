//! A provider behind an HTTP endpoint.
//!
//! Request: `POST {SAHM_QUOTES_PROVIDER_URL}` with the JSON `{"codes": ["2222", "AAPL"]}`, at most
//! 50 codes per request, and `authorization: Bearer {token}` if `SAHM_QUOTES_PROVIDER_TOKEN` is
//! set. Response: 200 with the JSON that [`shape`] describes, at most 1 MiB, within 600 ms.
//! Redirects are not followed.
//!
//! Corporate events are optional: if `SAHM_CORPORATE_EVENTS_URL` is set, they are requested there
//! in the same way, with the JSON `{"codes": ["2222", "AAPL"], "from": "2026-11-26", "to":
//! "2026-12-26"}`; [`events`] describes the response.

pub mod events;
pub mod shape;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use sahm_chassis::{
    clock::Clock,
    error::{Error, Result},
    outbound::Outbound,
    settings::Endpoint,
};

use super::QuoteProvider;
use crate::domain::{
    Calendar, CorporateEvent, DateRange, Market, Quote, Security, SecurityCode, Session,
};

/// Maximum number of codes per request.
const MAX_CODES: usize = 50;

/// Timeout of a request; it leaves time to return the last known quotes within a page's 800 ms.
const REQUEST_TIMEOUT: Duration = Duration::from_millis(600);

/// The provider behind an endpoint.
pub struct HttpProvider {
    outbound: Outbound,
    endpoint: Endpoint,
    /// Endpoint of corporate events; `None` if the provider offers none.
    events_endpoint: Option<Endpoint>,
    clock: Clock,
    calendar: Calendar,
}

impl HttpProvider {
    /// # Errors
    /// The system's root certificates cannot be read.
    pub fn new(
        endpoint: &Endpoint,
        events_endpoint: Option<&Endpoint>,
        clock: Clock,
        calendar: Calendar,
    ) -> anyhow::Result<Self> {
        let outbound = Outbound::new("quotes", REQUEST_TIMEOUT)?;
        let events_endpoint = events_endpoint.cloned();
        Ok(Self { outbound, endpoint: endpoint.clone(), events_endpoint, clock, calendar })
    }

    async fn fetch_quotes(&self, securities: &[Arc<Security>]) -> anyhow::Result<Vec<Quote>> {
        let request = serde_json::json!({ "codes": codes(securities) });
        let body = self.post(&self.endpoint, &request).await?;
        let now = self.clock.now();
        let session = |market: Market| {
            self.calendar.at(market, now).map_or(Session::Unknown, |time| time.session)
        };
        shape::quotes_of(&body, securities, session)
    }

    async fn fetch_events(
        &self,
        endpoint: &Endpoint,
        securities: &[Arc<Security>],
        range: DateRange,
    ) -> anyhow::Result<Vec<CorporateEvent>> {
        let request = serde_json::json!({
            "codes": codes(securities),
            "from": range.from.to_string(),
            "to": range.to.to_string(),
        });
        let body = self.post(endpoint, &request).await?;
        events::corporate_events_of(&body, securities, range)
    }

    async fn post(
        &self,
        endpoint: &Endpoint,
        request: &serde_json::Value,
    ) -> anyhow::Result<Bytes> {
        let response = self.outbound.post_json(endpoint, request).await?;
        anyhow::ensure!(response.status == 200, "returned {}", response.status.as_u16());
        Ok(response.body)
    }
}

fn codes(securities: &[Arc<Security>]) -> Vec<&str> {
    securities.iter().map(|security| SecurityCode::as_str(&security.code)).collect()
}

/// Joins the responses to batched requests.
async fn join<T>(requests: Vec<impl Future<Output = anyhow::Result<Vec<T>>>>) -> Result<Vec<T>> {
    let responses = futures_util::future::try_join_all(requests).await;
    let responses = responses.map_err(|error| {
        Error::unavailable(error.context("the market-data provider did not answer"))
    })?;
    Ok(responses.into_iter().flatten().collect())
}

#[tonic::async_trait]
impl QuoteProvider for HttpProvider {
    async fn quotes(&self, securities: Vec<Arc<Security>>) -> Result<Vec<Quote>> {
        let requests = securities.chunks(MAX_CODES).map(|batch| self.fetch_quotes(batch));
        join(requests.collect()).await
    }

    async fn corporate_events(
        &self,
        securities: Vec<Arc<Security>>,
        range: DateRange,
    ) -> Result<Vec<CorporateEvent>> {
        let Some(endpoint) = &self.events_endpoint else { return Ok(Vec::new()) };
        let batches = securities.chunks(MAX_CODES);
        let requests = batches.map(|batch| self.fetch_events(endpoint, batch, range));
        join(requests.collect()).await
    }
}
