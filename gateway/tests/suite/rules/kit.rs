//! A real gateway with the real content and config services, and a fake renderer that always returns the same markup.

use std::{net::SocketAddr, path::Path};

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Request, header};
use http_body_util::{BodyExt, Full};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioIo},
};
use sahm_chassis::{
    clock::Clock,
    lifecycle::{Context, bind},
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_gateway::{Services, routes::PageId};
use sahm_proto::config::v1::config_service_client::ConfigServiceClient;
use serde_json::{Value, json};
use tokio_util::task::AbortOnDropHandle;
use tower::service_fn;

pub(crate) const PC: &str = "Mozilla/5.0 (X11; Linux x86_64) Chrome/150";
pub(crate) const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
pub(crate) const APP: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) SahmApp/4.2";

/// A running gateway, stopped when dropped.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    /// An operator's client of config.
    pub(crate) config: ConfigServiceClient<Transport>,
    http: Http,
    context: Context,
    _server: AbortOnDropHandle<()>,
    _folder: tempfile::TempDir,
}

impl Site {
    /// Starts a site with additional settings.
    pub(crate) async fn start(extra: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        build(folder.path());
        let path = |name: &str| folder.path().join(name).display().to_string();
        let pairs = [
            ("SAHM_DATA_DIR", path("data")),
            ("SAHM_SITE_DIR", path("")),
            ("SAHM_PUBLIC_URL", "https://www.sahm.test".to_owned()),
            ("SAHM_LISTEN", "127.0.0.1:0".to_owned()),
        ];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value)).into_iter();
        let extra = extra.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let settings = Settings::from_pairs(Process::Site, pairs.chain(extra)).unwrap();
        let context = Context::new(settings);
        let content = sahm_content::Content::start(&context, Clock::system()).await.unwrap();
        let config = sahm_config::Config::start(&context, Clock::system()).await.unwrap();
        let config = Transport::local(config.routes);
        let services = Services::new([
            (ServiceName::Content, Transport::local(content.routes)),
            (ServiceName::Config, config.clone()),
        ]);
        let config = ConfigServiceClient::new(config);
        let (renderer, server) =
            serve(async |_| http::Response::new(Body::from("<h1>page</h1>"))).await;
        let listener = bind(context.settings.listen).await.unwrap();
        let address = listener.local_addr().unwrap();
        let renderer = format!("http://{renderer}");
        sahm_gateway::serve(&context, listener, services, &renderer).await.unwrap();
        Self { address, config, http: http(), context, _server: server, _folder: folder }
    }

    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        self.send("GET", path, headers, "").await
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Response {
        let uri = format!("http://{}{path}", self.address);
        send(&self.http, method, &uri, headers, body).await.unwrap()
    }
}

pub(crate) type Http = Client<HttpConnector, Full<Bytes>>;

pub(crate) fn http() -> Http {
    Client::builder(TokioExecutor::new()).build_http()
}

/// Sends a request; `None` if the server does not respond.
pub(crate) async fn send(
    http: &Http,
    method: &str,
    uri: &str,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Option<Response> {
    let mut request = Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(body.into())).unwrap();
    let (parts, body) = http.request(request).await.ok()?.into_parts();
    let body = body.collect().await.ok()?.to_bytes();
    Some(Response { status: parts.status.as_u16(), headers: parts.headers, body })
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
        self.context.lifecycle.hard_stop().cancel();
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Response {
    /// The value of a header; empty if absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The `Set-Cookie` values, sorted.
    pub(crate) fn cookies(&self) -> Vec<&str> {
        let lines = self.headers.get_all(header::SET_COOKIE).iter();
        let mut lines = lines.map(|line| line.to_str().unwrap()).collect::<Vec<_>>();
        lines.sort_unstable();
        lines
    }
}

/// An HTTP/1 server with this handler, stopped when the handle is dropped.
pub(crate) async fn serve<F>(
    handler: impl Fn(Request<hyper::body::Incoming>) -> F + Clone + Send + Sync + 'static,
) -> (SocketAddr, AbortOnDropHandle<()>)
where
    F: Future<Output = http::Response<Body>> + Send + 'static,
{
    let listener = bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let handler = handler.clone();
            let service = service_fn(move |request| {
                let response = handler(request);
                async move { Ok::<_, std::convert::Infallible>(response.await) }
            });
            let service = hyper_util::service::TowerToHyperService::new(service);
            let connection = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service);
            tokio::spawn(connection);
        }
    });
    (address, AbortOnDropHandle::new(server))
}

/// Writes a build with every page of the route table and without scripts.
pub(crate) fn build(folder: &Path) {
    std::fs::create_dir_all(folder.join("client/assets")).unwrap();
    let both = |value: Value| json!({ "en-us": value, "ar-sa": value });
    let pages = PageId::ALL.iter().map(|page| page.as_str()).chain(["error"]);
    let (mut heads, mut assets) = (json!({}), json!({}));
    for page in pages {
        heads[page] = both(json!({ "title": "t", "description": "d", "image": "/i.png" }));
        let messages = both(json!([]));
        assets[page] = json!({ "preload": [], "messages": messages, "prefetch": [], "styles": [] });
    }
    let shell = json!({
        "noscript": "n", "unavailableTitle": "u", "unavailableText": "u", "home": "h",
    });
    let site = json!({
        "build": "test", "heads": heads, "shell": both(shell), "siteName": both(json!("s")),
        "assets": {
            "scripts": { "entry": "/assets/e.js", "boot": "/assets/f.js" },
            "pages": assets, "fonts": both(json!([])),
        },
    });
    std::fs::write(folder.join("site.json"), site.to_string()).unwrap();
}
