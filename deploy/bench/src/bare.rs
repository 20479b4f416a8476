//! The peer: a bare hyper server that sends prepared responses, as fast as this stack can.

use std::{convert::Infallible, io::Write, path::Path, sync::Arc};

use anyhow::Context;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::client;

/// Serves the responses of a file (JSON, a list of [`client::Response`]s) until it is killed.
pub(crate) fn run(file: &Path) -> anyhow::Result<()> {
    let text = std::fs::read(file).context("cannot read the responses")?;
    let responses: Vec<client::Response> = serde_json::from_slice(&text)?;
    let prepared: Vec<Prepared> =
        responses.into_iter().map(Prepared::new).collect::<Result<_, _>>()?;
    // The same kind of runtime as the site's.
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(serve(prepared.into()))
}

async fn serve(prepared: Arc<[Prepared]>) -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "ready http://{}", listener.local_addr()?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let prepared = Arc::clone(&prepared);
        let service = service_fn(move |request: Request<Incoming>| {
            let response = response(&prepared, request.headers());
            async move { Ok::<_, Infallible>(response) }
        });
        tokio::spawn(async move {
            // A disconnected client is not an error.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

struct Prepared {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Prepared {
    fn new(response: client::Response) -> anyhow::Result<Prepared> {
        let mut headers = HeaderMap::new();
        for (name, value) in response.headers {
            // hyper sets these.
            if name != "date" {
                headers.append(HeaderName::try_from(name)?, HeaderValue::try_from(value)?);
            }
        }
        let status = StatusCode::from_u16(response.status)?;
        Ok(Prepared { status, headers, body: response.body.into() })
    }

    fn encoding(&self) -> Option<&HeaderValue> {
        self.headers.get(header::CONTENT_ENCODING)
    }
}

/// The response in the requested coding, or the 304.
fn response(prepared: &[Prepared], headers: &HeaderMap) -> Response<Full<Bytes>> {
    let conditional = headers.contains_key(header::IF_NONE_MATCH);
    let encoding = headers.get(header::ACCEPT_ENCODING).filter(|value| *value != "identity");
    let found = prepared.iter().find(|one| {
        if conditional {
            one.status == StatusCode::NOT_MODIFIED
        } else {
            one.status != StatusCode::NOT_MODIFIED && one.encoding() == encoding
        }
    });
    let Some(found) = found else {
        let mut missing = Response::new(Full::default());
        *missing.status_mut() = StatusCode::NOT_FOUND;
        return missing;
    };
    let mut response = Response::new(Full::new(found.body.clone()));
    *response.status_mut() = found.status;
    *response.headers_mut() = found.headers.clone();
    response
}
