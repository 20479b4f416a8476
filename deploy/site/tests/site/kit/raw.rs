//! Raw requests, which no client library would send.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::Response;

/// Sends bytes and reads the response to its end; the request needs `connection: close`. `None` if the server closes
/// without a response.
pub(crate) async fn raw(address: SocketAddr, request: &[u8]) -> Option<Response> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may respond and close before the whole request is sent.
    let _ = stream.write_all(request).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let (first, lines) = head.split_once("\r\n").unwrap_or((head, ""));
    let status = first.split(' ').nth(1)?.parse().ok()?;
    let mut headers = HeaderMap::new();
    for line in lines.lines() {
        let (name, value) = line.split_once(':').unwrap();
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        headers.append(name, HeaderValue::from_str(value.trim()).unwrap());
    }
    let body = Bytes::copy_from_slice(&bytes[end + 4..]);
    Some(Response { status, headers, body })
}
