//! The client of the renderer: page data in, inner HTML of `#root` out; with a bounded queue and a timeout.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use opentelemetry::{KeyValue, metrics::Histogram};
use sahm_chassis::{
    rpc,
    telemetry::{self, Observed},
};
use tokio::sync::Semaphore;
use tracing::{Instrument, field::Empty};

/// Timeout of a render, waiting included (docs/limits-and-timeouts.md).
const RENDER_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Part of a page's deadline that a render leaves for the shell that may replace it.
const MIN_SHELL_TIME: Duration = Duration::from_millis(200);

/// Concurrent renders. The renderer has one thread, which must not idle between two of them.
const MAX_RENDERS: usize = 4;

/// Attempts of a render, lost connections included.
const MAX_ATTEMPTS: u32 = 3;

/// Responses of renderers of other builds until a render fails: during a rollout half of all new connections lead to
/// the other build.
const MAX_OTHER_BUILDS: u32 = 10;

/// Renders that may wait: at 3 ms a render they are done well within the timeout.
const MAX_WAITING: usize = 256;

/// The status with which a renderer of another build responds.
const CONFLICT: u16 = 409;

/// A larger response is an error.
const MAX_HTML_BYTES: usize = 8 << 20;

/// The renderer behind its queue.
#[derive(Clone)]
pub(crate) struct Renderer {
    client: reqwest::Client,
    url: Arc<str>,
    /// The URL's host and port, for traces.
    server: Arc<(String, u16)>,
    build: HeaderValue,
    /// Permits to render.
    running: Arc<Semaphore>,
    /// Permits to wait for one of them.
    waiting: Arc<Semaphore>,
    duration: Histogram<f64>,
}

/// Why there is no HTML.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RenderError {
    /// The queue is full.
    #[error("the render queue is full")]
    Busy,
    /// The renderer is unavailable, or late.
    #[error("the renderer is away: {0}")]
    Away(String),
    /// Only renderers of other builds answer; their HTML does not fit our styles and scripts.
    #[error("no renderer of this build")]
    OtherBuild,
    /// The renderer responded that it cannot render this document.
    #[error("the renderer refused the document: status {0}")]
    Refused(u16),
}

impl RenderError {
    fn outcome(&self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Away(_) | Self::OtherBuild => "away",
            Self::Refused(_) => "refused",
        }
    }
}

impl Renderer {
    /// A client of the renderers of `build` at `url` (`http://…`).
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
        show("render_queue.waiting", "Renders that wait for a place", &waiting, MAX_WAITING);
        show("render_queue.running", "Renders under way at the renderer", &running, MAX_RENDERS);
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
                "Renders with their waiting, by outcome; busy: no place to wait in",
            ),
        })
    }

    /// Renders a page payload (JSON).
    pub(crate) async fn render(&self, payload: Bytes) -> Result<String, RenderError> {
        let began = Instant::now();
        let rendered = self.queue(payload).await;
        let outcome = rendered.as_ref().map_or_else(RenderError::outcome, |_| "ok");
        let labels = [KeyValue::new("outcome", outcome)];
        self.duration.record(began.elapsed().as_secs_f64(), &labels);
        rendered
    }

    async fn queue(&self, payload: Bytes) -> Result<String, RenderError> {
        let place = self.waiting.try_acquire().map_err(|_| RenderError::Busy)?;
        let render = async {
            let _permit = self.running.acquire().await.map_err(|_| RenderError::Busy)?;
            drop(place);
            self.call_with_retries(payload).await
        };
        tokio::time::timeout(render_time(), render)
            .await
            .unwrap_or_else(|_| Err(RenderError::Away("no answer in time".to_owned())))
    }

    /// Calls the renderer, again where the connection is lost or a renderer of another build responds: rendering is
    /// idempotent.
    async fn call_with_retries(&self, payload: Bytes) -> Result<String, RenderError> {
        let (mut lost, mut others) = (0, 0);
        loop {
            let called = self.traced_call(payload.clone()).await;
            match &called {
                Err(RenderError::Away(why)) => {
                    lost += 1;
                    tracing::info!(why, "renderer lost");
                }
                Err(RenderError::OtherBuild) => others += 1,
                _ => return called,
            }
            if lost == MAX_ATTEMPTS || others == MAX_OTHER_BUILDS {
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
            Err(RenderError::Refused(status)) => Some(*status),
            Err(RenderError::OtherBuild) => Some(CONFLICT),
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
        let away = |error: reqwest::Error| RenderError::Away(error.without_url().to_string());
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert("x-build", self.build.clone());
        telemetry::inject(&mut headers);
        let mut response = self
            .client
            .post(&*self.url)
            .headers(headers)
            .body(payload)
            .send()
            .await
            .map_err(away)?;
        if response.status().as_u16() == CONFLICT {
            return Err(RenderError::OtherBuild);
        }
        if !response.status().is_success() {
            return Err(RenderError::Refused(response.status().as_u16()));
        }
        let mut html = Vec::with_capacity(response.content_length().unwrap_or(0) as usize);
        while let Some(chunk) = response.chunk().await.map_err(away)? {
            if html.len() + chunk.len() > MAX_HTML_BYTES {
                return Err(RenderError::Refused(413));
            }
            html.extend_from_slice(&chunk);
        }
        String::from_utf8(html).map_err(|_| RenderError::Refused(502))
    }
}

/// Timeout of a render within the page's deadline.
pub(super) fn render_time() -> Duration {
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

    /// Where every request leads to the next of these builds' renderers, and how many there were.
    async fn renderers(builds: &'static [&'static str]) -> (String, Arc<AtomicUsize>) {
        let asked = Arc::<AtomicUsize>::default();
        let count = asked.clone();
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
        (url, asked)
    }

    #[tokio::test]
    async fn html_comes_from_renderers_of_the_own_build_only() {
        let (url, _) = renderers(&["former", "next"]).await;
        let renderer = Renderer::new(&url, "next").unwrap();
        for _ in 0..10 {
            assert_eq!(renderer.render(Bytes::new()).await.unwrap(), "next");
        }
        let (url, asked) = renderers(&["former"]).await;
        let renderer = Renderer::new(&url, "next").unwrap();
        let refused = renderer.render(Bytes::new()).await;
        assert!(matches!(refused, Err(RenderError::OtherBuild)), "{refused:?}");
        assert_eq!(asked.load(Ordering::Relaxed), MAX_OTHER_BUILDS as usize);
    }
}
