//! A market-data provider of the shape that `services/quotes/src/providers/http` describes, whose
//! every answer has prices of its own.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde_json::json;
use tokio::net::TcpListener;

/// Answers until it is dropped: all prices of the first answer are `0.00`, of the next `1.00`.
pub(crate) struct Provider {
    pub(crate) address: SocketAddr,
    answers: Arc<Answers>,
    task: tokio::task::JoinHandle<()>,
}

/// When each answer was given, by its number.
#[derive(Default)]
struct Answers(Mutex<Vec<Instant>>);

impl Answers {
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
        let answers = Arc::<Answers>::default();
        let task = tokio::spawn(serve(listener, Arc::clone(&answers)));
        Ok(Provider { address, answers, task })
    }

    /// When the answer with this number was given.
    pub(crate) fn answered(&self, number: usize) -> Option<Instant> {
        self.answers.list().get(number).copied()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, answers: Arc<Answers>) {
    while let Ok((stream, _)) = listener.accept().await {
        let answers = Arc::clone(&answers);
        let service = service_fn(move |request: Request<Incoming>| {
            let answers = Arc::clone(&answers);
            async move { Ok::<_, Infallible>(answer(&answers, request).await) }
        });
        tokio::spawn(async move {
            // A client that leaves is no failure here.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(answers: &Answers, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let body = request.into_body().collect().await.map(|body| body.to_bytes());
    let asked = body.ok().and_then(|body| serde_json::from_slice::<QuotesRequest>(&body).ok());
    let codes = asked.map(|asked| asked.codes).unwrap_or_default();
    let number = {
        let mut list = answers.list();
        list.push(Instant::now());
        list.len() - 1
    };
    let quotes = codes.iter().map(|code| {
        let price = format!("{number}.00");
        json!({
            "code": code, "last": price, "previousClose": "100.00", "open": price, "high": price,
            "low": price, "time": 1_795_186_795_u32, "session": "open",
        })
    });
    let body = json!({ "quotes": quotes.collect::<Vec<_>>() }).to_string();
    Response::new(Full::from(body))
}
