//! A market-data provider with the format that `services/quotes/src/providers/http` describes. Each
//! response has different prices.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use axum::{Json, Router, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

/// Serves until it is dropped: all prices of the first response are `0.00`, of the next `1.00`.
pub(crate) struct Provider {
    pub(crate) address: SocketAddr,
    responses: Arc<Responses>,
    task: JoinHandle<std::io::Result<()>>,
}

/// The times of the responses, by their numbers.
#[derive(Default)]
struct Responses(Mutex<Vec<Instant>>);

impl Responses {
    fn list(&self) -> MutexGuard<'_, Vec<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Deserialize)]
struct QuotesRequest {
    codes: Vec<String>,
}

impl Provider {
    pub(crate) async fn start() -> anyhow::Result<Provider> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let responses = Arc::<Responses>::default();
        let router = Router::new().fallback(respond).with_state(Arc::clone(&responses));
        let task = tokio::spawn(axum::serve(listener, router).into_future());
        Ok(Provider { address, responses, task })
    }

    /// When the response with this number was sent.
    pub(crate) fn responded(&self, number: usize) -> Option<Instant> {
        self.responses.list().get(number).copied()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn respond(
    State(responses): State<Arc<Responses>>,
    Json(QuotesRequest { codes }): Json<QuotesRequest>,
) -> Json<Value> {
    let number = {
        let mut list = responses.list();
        list.push(Instant::now());
        list.len() - 1
    };
    let price = format!("{number}.00");
    let quotes = codes.iter().map(|code| {
        json!({
            "code": code, "last": price, "previousClose": "100.00", "open": price, "high": price,
            "low": price, "time": 1_795_186_795_u32, "session": "open",
        })
    });
    Json(json!({ "quotes": quotes.collect::<Vec<_>>() }))
}
