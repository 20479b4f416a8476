//! A running service and a controllable provider.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::{self, Transport},
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_proto::quotes::v1::{
    announcement_service_client::AnnouncementServiceClient,
    market_service_client::MarketServiceClient, quote_service_client::QuoteServiceClient,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Friday, 2026-11-20, 15:00 UTC: the US market is open, the Saudi one is closed.
pub(crate) const NOW: u32 = 1_795_186_800;

pub(crate) struct Running {
    pub(crate) quotes: QuoteServiceClient<Transport>,
    pub(crate) announcements: AnnouncementServiceClient<Transport>,
    pub(crate) markets: MarketServiceClient<Transport>,
    pub(crate) context: Context,
    pub(crate) clock: Clock,
    _folder: TempDir,
}

pub(crate) fn context(folder: &TempDir, pairs: &[(&str, &str)]) -> Context {
    let folder = folder.path().to_str().unwrap();
    let own = [("SAHM_DATA_DIR", folder), ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef")];
    let pairs = own.iter().chain(pairs).map(|(name, value)| (name.to_string(), value.to_string()));
    Context::new(Settings::from_pairs(Process::Service(ServiceName::Quotes), pairs).unwrap())
}

impl Running {
    /// In process.
    pub(crate) async fn start(pairs: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (context, clock) = (context(&folder, pairs), Clock::fixed(NOW));
        sahm_quotes::Quotes::open_and_seed(&context.settings).await.unwrap();
        let service = sahm_quotes::Quotes::start(&context, clock.clone()).await.unwrap();
        Self::over(Transport::local(service.routes), context, clock, folder)
    }

    /// Over TCP.
    pub(crate) async fn start_apart(pairs: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (context, clock) = (context(&folder, pairs), Clock::fixed(NOW));
        let listener = sahm_chassis::lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let service = sahm_quotes::Quotes::start(&context, clock.clone()).await.unwrap();
        rpc::serve(listener, service, &context);
        let transport = Transport::connect(&url, &context);
        Self::over(transport, context, clock, folder)
    }

    fn over(transport: Transport, context: Context, clock: Clock, folder: TempDir) -> Self {
        let quotes = QuoteServiceClient::new(transport.clone());
        let announcements = AnnouncementServiceClient::new(transport.clone());
        let markets = MarketServiceClient::new(transport);
        Self { quotes, announcements, markets, context, clock, _folder: folder }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

/// A market-data provider behind HTTP.
#[derive(Clone, Default)]
pub(crate) struct Provider {
    state: Arc<Mutex<ProviderState>>,
    /// While it is locked, no request gets a response.
    pub(crate) gate: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Default)]
struct ProviderState {
    prices: HashMap<String, String>,
    fails: bool,
    requested_codes: Vec<Vec<String>>,
    tokens: Vec<Option<String>>,
    /// The bodies of requests for corporate events.
    event_requests: Vec<Value>,
}

impl Provider {
    /// Starts the provider and returns its URL.
    pub(crate) async fn start(&self) -> String {
        let router = Router::new()
            .route("/quotes", post(respond_quotes))
            .route("/events", post(respond_events))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/quotes", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    pub(crate) fn set(&self, code: &str, price: &str) {
        self.state.lock().unwrap().prices.insert(code.into(), price.into());
    }

    pub(crate) fn fail(&self, fails: bool) {
        self.state.lock().unwrap().fails = fails;
    }

    /// The codes of each request so far.
    pub(crate) fn requested_codes(&self) -> Vec<Vec<String>> {
        self.state.lock().unwrap().requested_codes.clone()
    }

    pub(crate) fn event_requests(&self) -> Vec<Value> {
        self.state.lock().unwrap().event_requests.clone()
    }

    pub(crate) fn tokens(&self) -> Vec<Option<String>> {
        self.state.lock().unwrap().tokens.clone()
    }
}

async fn respond_quotes(
    State(provider): State<Provider>,
    headers: axum::http::HeaderMap,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    let codes: Vec<String> = serde_json::from_value(body["codes"].clone()).unwrap();
    let token = headers.get("authorization").map(|token| token.to_str().unwrap().to_owned());
    {
        let mut state = provider.state.lock().unwrap();
        state.requested_codes.push(codes.clone());
        state.tokens.push(token);
    }
    drop(provider.gate.lock().await);
    let state = provider.state.lock().unwrap();
    if state.fails {
        return (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({})));
    }
    let priced = codes.iter().filter_map(|code| Some((code, state.prices.get(code)?)));
    let quotes = priced.map(|(code, price)| {
        json!({ "code": code, "last": price, "previousClose": "1.00", "volume": 1200, "time": NOW })
    });
    (StatusCode::OK, Json(json!({ "quotes": quotes.collect::<Vec<_>>() })))
}

/// Responds with a dividend of `AAPL`, whatever is requested.
async fn respond_events(
    State(provider): State<Provider>,
    headers: axum::http::HeaderMap,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    let token = headers.get("authorization").map(|token| token.to_str().unwrap().to_owned());
    let mut state = provider.state.lock().unwrap();
    state.event_requests.push(body);
    state.tokens.push(token);
    if state.fails {
        return (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({})));
    }
    let dividend = |event_type, date| json!({ "code": "AAPL", "type": event_type, "date": date, "amountPerShare": "0.2600" });
    let events = [dividend("dividendPayment", "2026-12-10"), dividend("exDividend", "2026-11-24")];
    (StatusCode::OK, Json(json!({ "events": events })))
}
