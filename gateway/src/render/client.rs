//! The client of the renderer: sends page data and receives the inner HTML of `#root`, with a bounded queue and a
//! timeout.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use opentelemetry::{KeyValue, metrics::Histogram};
use sahm_chassis::{
    outbound::read_body,
    rpc,
    telemetry::{self, Observed},
};
use tokio::sync::Semaphore;
use tracing::{Instrument, field::Empty};

/// Timeout of a render, including its time in the queue (docs/limits-and-timeouts.md).
const RENDER_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Part of a page's deadline that is reserved for the shell that replaces a failed render.
const MIN_SHELL_TIME: Duration = Duration::from_millis(200);

/// Maximum number of concurrent renders. The renderer has one thread; several requests in flight keep it busy.
const MAX_RENDERS: usize = 4;

/// Maximum number of attempts whose connection is lost.
const MAX_ATTEMPTS: u32 = 3;

/// Maximum number of responses from renderers of other builds: during a rollout, half of all new connections lead to
/// the other build.
const MAX_OTHER_BUILDS: u32 = 10;

/// Maximum number of queued renders. At 3 ms each, they complete well within the timeout.
const MAX_WAITING: usize = 256;

/// Status of a renderer of another build.
const OTHER_BUILD_STATUS: u16 = 409;

const MAX_HTML_BYTES: usize = 8 << 20;

/// A client of the renderers of one build, with a queue.
#[derive(Clone)]
pub(crate) struct Renderer {
    client: reqwest::Client,
    url: Arc<str>,
    /// The URL's host and port, for traces.
    server: Arc<(String, u16)>,
    build: HeaderValue,
    /// Permits to render.
    running: Arc<Semaphore>,
    /// Permits to wait for a permit to render.
    waiting: Arc<Semaphore>,
    duration: Histogram<f64>,
}

/// Why there is no HTML.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RenderError {
    #[error("the render queue is full")]
    Busy,
    /// The renderer is unavailable or timed out.
    #[error("the renderer is unavailable: {0}")]
    Unavailable(String),
    /// Only renderers of other builds responded; their HTML does not match this build's styles and scripts.
    #[error("no renderer of this build")]
    OtherBuild,
    /// The renderer rejected the page data, with this status.
    #[error("the renderer rejected the page data: status {0}")]
    Rejected(u16),
}

impl RenderError {
    /// Page data that cannot be parsed or serialised.
    #[expect(clippy::needless_pass_by_value, reason = "called by `map_err`")]
    pub(super) fn invalid_data(error: serde_json::Error) -> Self {
        Self::Unavailable(format!("page data cannot be read: {error}"))
    }

    fn outcome(&self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Unavailable(_) | Self::OtherBuild => "away",
            Self::Rejected(_) => "refused",
        }
    }
}

impl Renderer {
    /// A client of the renderers of `build` at `url`.
    pub(crate) fn new(url: &str, build: &str) -> anyhow::Result<Self> {
        sahm_chassis::outbound::install_tls_provider();
        let client = reqwest::Client::builder()
            .connect_timeout(Duration::from_millis(250))
            .pool_idle_timeout(Duration::from_secs(30))
            .tcp_nodelay(true)
            .no_proxy()
            .build()?;
        let permits = |max| Arc::new(Semaphore::new(max));
        let (waiting, running) = (permits(MAX_WAITING), permits(MAX_RENDERS));
        let show = |name, description, permits: &Arc<Semaphore>, max: usize| {
            Observed::of(name, description).gauge(Arc::downgrade(permits), move |permits| {
                max.saturating_sub(permits.available_permits()) as u64
            });
        };
        show("render_queue.waiting", "Queued renders", &waiting, MAX_WAITING);
        show("render_queue.running", "Renders in flight", &running, MAX_RENDERS);
        let url = format!("{}/render", url.trim_end_matches('/'));
        let uri = url.parse::<http::Uri>()?;
        let server = (uri.host().unwrap_or_default().to_owned(), uri.port_u16().unwrap_or(80));
        Ok(Self {
            client,
            url: url.into(),
            server: Arc::new(server),
            build: HeaderValue::try_from(build)?,
            running,
            waiting,
            duration: telemetry::seconds(
                "render_queue.duration",
                "Renders including their time in the queue, by outcome; busy: the queue is full",
            ),
        })
    }

    pub(crate) async fn render(&self, payload: Bytes) -> Result<String, RenderError> {
        let began = Instant::now();
        let rendered = self.queue(payload).await;
        let outcome = rendered.as_ref().map_or_else(RenderError::outcome, |_| "ok");
        let labels = [KeyValue::new("outcome", outcome)];
        self.duration.record(began.elapsed().as_secs_f64(), &labels);
        rendered
    }

    async fn queue(&self, payload: Bytes) -> Result<String, RenderError> {
        let queued = self.waiting.try_acquire().map_err(|_| RenderError::Busy)?;
        let render = async {
            let _permit = self.running.acquire().await.map_err(|_| RenderError::Busy)?;
            drop(queued);
            self.call_with_retries(payload).await
        };
        tokio::time::timeout(render_timeout(), render)
            .await
            .unwrap_or_else(|_| Err(RenderError::Unavailable("timeout".to_owned())))
    }

    /// Calls the renderer, with retries if the connection is lost or a renderer of another build responds. Rendering is
    /// idempotent.
    async fn call_with_retries(&self, payload: Bytes) -> Result<String, RenderError> {
        let (mut lost, mut other_builds) = (0, 0);
        loop {
            let called = self.traced_call(payload.clone()).await;
            match &called {
                Err(RenderError::Unavailable(why)) => {
                    lost += 1;
                    tracing::info!(why, "renderer lost");
                }
                Err(RenderError::OtherBuild) => other_builds += 1,
                _ => return called,
            }
            if lost == MAX_ATTEMPTS || other_builds == MAX_OTHER_BUILDS {
                return called;
            }
        }
    }

    async fn traced_call(&self, payload: Bytes) -> Result<String, RenderError> {
        let span = tracing::info_span!(
            target: "sahm::http",
            "render",
            "otel.kind" = "client",
            "otel.name" = "POST /render",
            "otel.status_code" = Empty,
            "http.request.method" = "POST",
            "server.address" = self.server.0,
            "server.port" = self.server.1,
            "url.full" = &*self.url,
            "url.template" = "/render",
            "http.response.status_code" = Empty,
            "error.type" = Empty,
        );
        let called = self.call(payload).instrument(span.clone()).await;
        let status = match &called {
            Ok(_) => Some(200),
            Err(RenderError::Rejected(status)) => Some(*status),
            Err(RenderError::OtherBuild) => Some(OTHER_BUILD_STATUS),
            Err(_) => None,
        };
        if let Some(status) = status {
            span.record("http.response.status_code", status);
        }
        if called.is_err() {
            span.record("otel.status_code", "ERROR");
            let error = status.map_or("_OTHER".to_owned(), |status| status.to_string());
            span.record("error.type", error);
        }
        called
    }

    async fn call(&self, payload: Bytes) -> Result<String, RenderError> {
        let unavailable =
            |error: reqwest::Error| RenderError::Unavailable(error.without_url().to_string());
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert("x-build", self.build.clone());
        telemetry::inject(&mut headers);
        let response = self
            .client
            .post(&*self.url)
            .headers(headers)
            .body(payload)
            .send()
            .await
            .map_err(unavailable)?;
        if response.status().as_u16() == OTHER_BUILD_STATUS {
            return Err(RenderError::OtherBuild);
        }
        if !response.status().is_success() {
            return Err(RenderError::Rejected(response.status().as_u16()));
        }
        let html = read_body(response, MAX_HTML_BYTES).await.map_err(unavailable)?;
        String::from_utf8(html.ok_or(RenderError::Rejected(413))?)
            .map_err(|_| RenderError::Rejected(502))
    }
}

/// Timeout of a render within the page's deadline.
pub(super) fn render_timeout() -> Duration {
    rpc::deadline().map_or(RENDER_TIMEOUT, |ends| {
        let left = ends.saturating_duration_since(tokio::time::Instant::now());
        RENDER_TIMEOUT.min(left.saturating_sub(MIN_SHELL_TIME))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::{Router, http::StatusCode, routing::post};
    use tokio::net::TcpListener;

    use super::*;

    /// An address whose requests reach renderers of these builds in turn, and the number of requests.
    async fn renderers(builds: &'static [&'static str]) -> (String, Arc<AtomicUsize>) {
        let requests = Arc::<AtomicUsize>::default();
        let count = requests.clone();
        let render = async move |headers: HeaderMap| {
            let build = builds[count.fetch_add(1, Ordering::Relaxed) % builds.len()];
            match headers["x-build"] == build {
                true => (StatusCode::OK, build),
                false => (StatusCode::CONFLICT, ""),
            }
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/render", post(render));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        (url, requests)
    }

    #[tokio::test]
    async fn html_comes_only_from_renderers_of_the_same_build() {
        let (url, _) = renderers(&["previous", "next"]).await;
        let renderer = Renderer::new(&url, "next").unwrap();
        for _ in 0..10 {
            assert_eq!(renderer.render(Bytes::new()).await.unwrap(), "next");
        }
        let (url, requests) = renderers(&["previous"]).await;
        let renderer = Renderer::new(&url, "next").unwrap();
        let rendered = renderer.render(Bytes::new()).await;
        assert!(matches!(rendered, Err(RenderError::OtherBuild)), "{rendered:?}");
        assert_eq!(requests.load(Ordering::Relaxed), MAX_OTHER_BUILDS as usize);
    }
}
