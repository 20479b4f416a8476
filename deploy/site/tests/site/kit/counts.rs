//! Counts calls and renders between gateways and the processes behind them.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use tokio_util::task::AbortOnDropHandle;
use tonic::service::Routes;

/// Counters of one site.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    calls: Mutex<BTreeMap<String, u64>>,
    renders: AtomicU64,
    hold_ms: AtomicU64,
    panic_at: Mutex<Option<String>>,
}

impl Counts {
    /// Calls by rpc, without streams of changes.
    pub(crate) fn calls(&self) -> BTreeMap<String, u64> {
        self.0.calls.lock().unwrap().clone()
    }

    /// Number of started renders.
    pub(crate) fn renders(&self) -> u64 {
        self.0.renders.load(Ordering::SeqCst)
    }

    /// Delays each render from now on.
    pub(crate) fn delay_renders(&self, by: Duration) {
        self.0.hold_ms.store(u64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Panics in callers of rpcs with this prefix from now on (direct form only).
    pub(crate) fn panic_at(&self, rpcs: &str) {
        *self.0.panic_at.lock().unwrap() = Some(rpcs.to_owned());
    }

    /// Counts the calls of these services.
    pub(super) fn around(&self, routes: Routes) -> Routes {
        routes.into_axum_router().layer(from_fn_with_state(self.clone(), count)).into()
    }

    /// Starts a counting proxy for the renderer at `behind`.
    pub(super) async fn before(&self, behind: SocketAddr) -> (SocketAddr, AbortOnDropHandle<()>) {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        sahm_chassis::outbound::install_tls_provider();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let state = Proxy { counts: self.clone(), client, url: format!("http://{behind}").into() };
        let proxy = Router::new().fallback(forward).with_state(state);
        let task = tokio::spawn(async move { axum::serve(listener, proxy).await.unwrap() });
        (address, AbortOnDropHandle::new(task))
    }
}

async fn count(State(counts): State<Counts>, request: Request, next: Next) -> Response {
    let rpc = request.uri().path().to_owned();
    if !rpc.ends_with("/WatchChanges") {
        *counts.0.calls.lock().unwrap().entry(rpc.clone()).or_default() += 1;
    }
    let is_lost = counts.0.panic_at.lock().unwrap().as_ref().is_some_and(|at| rpc.starts_with(at));
    assert!(!is_lost, "a fault in the caller");
    next.run(request).await
}

#[derive(Clone)]
struct Proxy {
    counts: Counts,
    client: reqwest::Client,
    url: Arc<str>,
}

async fn forward(State(proxy): State<Proxy>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let inner = &proxy.counts.0;
    inner.renders.fetch_add(1, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(inner.hold_ms.load(Ordering::SeqCst))).await;
    let body: Bytes = match axum::body::to_bytes(body, 16 << 20).await {
        Ok(body) => body,
        Err(_) => return StatusCode::BAD_REQUEST.into_response(),
    };
    let url = format!("{}{}", proxy.url, parts.uri.path());
    match proxy.client.request(parts.method, url).body(body).send().await {
        Ok(received) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = received.status();
            if let Some(kind) = received.headers().get(header::CONTENT_TYPE) {
                response.headers_mut().insert(header::CONTENT_TYPE, kind.clone());
            }
            *response.body_mut() = Body::from(received.bytes().await.unwrap_or_default());
            response
        }
        Err(_) => StatusCode::BAD_GATEWAY.into_response(),
    }
}
