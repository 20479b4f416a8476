//! HTTP/1.1 requests of a browser, and connections that send them (hyper).

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::Incoming,
    client::conn::http1::{SendRequest, handshake},
};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use tokio::net::TcpStream;

/// The headers of a current desktop browser, except those that a variant sets.
pub(crate) const BROWSER: &[(&str, &str)] = &[
    (
        "user-agent",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    ),
    (
        "accept",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    ),
    ("accept-language", "en-US,en;q=0.9,ar;q=0.8"),
    ("sec-fetch-dest", "document"),
    ("sec-fetch-mode", "navigate"),
    ("sec-fetch-site", "none"),
    ("upgrade-insecure-requests", "1"),
];

/// A request to the server of a connection; its URI is a path with a query.
pub(crate) type Request = http::Request<Bytes>;

/// A GET request. Later headers replace earlier ones of the same name.
///
/// # Panics
/// The path or a header is not valid.
pub(crate) fn get(path: &str, headers: &[&[(&str, &str)]]) -> Request {
    request(Method::GET, path, headers, Bytes::new())
}

/// A POST request whose body is JSON.
///
/// # Panics
/// The path or a header is not valid.
pub(crate) fn post(path: &str, headers: &[&[(&str, &str)]], body: &[u8]) -> Request {
    let json = [("content-type", "application/json")];
    request(Method::POST, path, &[&headers.concat(), &json], Bytes::copy_from_slice(body))
}

fn request(method: Method, path: &str, headers: &[&[(&str, &str)]], body: Bytes) -> Request {
    let mut request = http::Request::new(body);
    *request.method_mut() = method;
    *request.uri_mut() = path.parse().expect("a valid path");
    let map = request.headers_mut();
    map.insert(header::HOST, HeaderValue::from_static("127.0.0.1"));
    for (name, value) in headers.concat() {
        let name: HeaderName = name.parse().expect("a valid header name");
        map.insert(name, value.parse().expect("a valid header value"));
    }
    request
}

/// A complete response.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// The first header with this name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A request, and a response to it.
pub(crate) struct Exchange {
    pub(crate) request: Request,
    pub(crate) response: Response,
}

/// A persistent connection with one request at a time.
pub(crate) struct Connection(SendRequest<Full<Bytes>>);

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> anyhow::Result<Connection> {
        let stream = TcpStream::connect(address).await.context("cannot connect")?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // An error of the connection is also the error of its request.
        tokio::spawn(connection);
        Ok(Connection(sender))
    }

    /// Sends a request and reads the head of its response.
    pub(crate) async fn send(
        &mut self,
        request: &Request,
    ) -> anyhow::Result<http::Response<Incoming>> {
        self.0.ready().await?;
        Ok(self.0.send_request(request.clone().map(Full::new)).await?)
    }

    /// Sends a request and reads the whole response; returns its status and size.
    pub(crate) async fn exchange(&mut self, request: &Request) -> anyhow::Result<(u16, usize)> {
        let (head, body) = self.send(request).await?.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok((head.status.as_u16(), size(&head.headers, &body)))
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn fetch(&mut self, request: &Request) -> anyhow::Result<Response> {
        let (head, body) = self.send(request).await?.into_parts();
        let text = |(name, value): (&HeaderName, &HeaderValue)| {
            anyhow::Ok((name.to_string(), value.to_str()?.to_owned()))
        };
        Ok(Response {
            status: head.status.as_u16(),
            headers: head.headers.iter().map(text).collect::<Result<_, _>>()?,
            body: body.collect().await?.to_bytes().into(),
        })
    }

    /// Whether the server has closed it.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

/// Bytes of a response's head and body, without the framing of chunks.
fn size(headers: &HeaderMap, body: &[u8]) -> usize {
    let lines =
        headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    "HTTP/1.1 200 OK\r\n\r\n".len() + lines.sum::<usize>() + body.len()
}

/// Repeats a request until a response satisfies the check.
pub(crate) async fn until(
    address: SocketAddr,
    request: &Request,
    limit: Duration,
    satisfied: impl Fn(&Response) -> bool,
) -> anyhow::Result<Response> {
    let began = Instant::now();
    let mut connection = Connection::open(address).await?;
    loop {
        let response = connection.fetch(request).await?;
        if satisfied(&response) {
            return Ok(response);
        }
        ensure!(
            began.elapsed() < limit,
            "after {limit:?} still status {} and x-page-cache {:?}",
            response.status,
            response.header("x-page-cache")
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_header_replaces_earlier_one() {
        let request = get("/x", &[&[("a", "1"), ("b", "2")], &[("a", "3")]]);
        let value = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        assert_eq!(
            (value("a"), value("b"), value("host")),
            (Some("3"), Some("2"), Some("127.0.0.1"))
        );
        assert_eq!(request.headers().len(), 3);
    }

    #[test]
    fn size_counts_head_and_body() {
        let response = "HTTP/1.1 200 OK\r\netag: \"a\"\r\n\r\nabc";
        let headers = HeaderMap::from_iter([(header::ETAG, HeaderValue::from_static("\"a\""))]);
        assert_eq!(size(&headers, b"abc"), response.len());
    }
}
