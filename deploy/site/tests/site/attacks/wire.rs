//! Raw requests, with all responses of a connection.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// Silence after which a connection has no more responses.
const MAX_SILENCE: Duration = Duration::from_millis(700);

/// Timeout of the first response.
const FIRST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(4);

/// A response, parsed leniently without dropping anything.
#[derive(Clone, Debug)]
pub(super) struct RawResponse {
    /// 0 without a status line.
    pub status: u16,
    /// The raw head.
    pub head: String,
    /// Everything up to the next response.
    pub body: String,
}

impl RawResponse {
    /// All values of a header, trimmed. A bare CR ends a line, too, as for some parsers.
    pub(super) fn all(&self, name: &str) -> Vec<&str> {
        self.head
            .split(['\r', '\n'])
            .skip(1)
            .filter_map(|line| line.split_once(':'))
            .filter(|(own, _)| own.trim().eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
            .collect()
    }

    /// The first value of a header; empty if absent.
    pub(super) fn header(&self, name: &str) -> &str {
        self.all(name).first().copied().unwrap_or_default()
    }

    /// Whether head or body contains a text.
    pub(super) fn contains(&self, text: &str) -> bool {
        self.head.contains(text) || self.body.contains(text)
    }
}

/// Sends bytes on a new connection and reads until the server closes it or is silent.
pub(super) async fn send(address: SocketAddr, bytes: &[u8]) -> Vec<RawResponse> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may respond and close before the whole request is sent.
    let _ = stream.write_all(bytes).await;
    let mut read = Vec::new();
    let mut piece = vec![0; 64 << 10];
    let read_timeout =
        |read: &[u8]| if read.is_empty() { FIRST_RESPONSE_TIMEOUT } else { MAX_SILENCE };
    while let Ok(Ok(count)) = timeout(read_timeout(&read), stream.read(&mut piece)).await {
        if count == 0 {
            break;
        }
        read.extend_from_slice(&piece[..count]);
    }
    parse_responses(&read)
}

/// A GET request with `connection: close`.
pub(super) fn get(target: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    request("GET", target, headers, "")
}

/// A request with `connection: close`.
pub(super) fn request(
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: impl AsRef<[u8]>,
) -> Vec<u8> {
    let body = body.as_ref();
    let mut text = format!("{method} {target} HTTP/1.1\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        text.push_str("host: www.sahm.test\r\n");
    }
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    text.push_str("connection: close\r\n\r\n");
    [text.as_bytes(), body].concat()
}

fn parse_responses(bytes: &[u8]) -> Vec<RawResponse> {
    let mut rest = bytes;
    let mut responses = Vec::new();
    while let Some(end) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
        let head = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 4..];
        let first = head.lines().next().unwrap_or_default();
        let status = first.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let mut response = RawResponse { status, head, body: String::new() };
        let length = response.header("content-length").parse().unwrap_or_else(|_| {
            // Chunked: up to the next status line.
            rest.windows(5).position(|five| five == b"HTTP/").unwrap_or(rest.len())
        });
        let length = length.min(rest.len());
        response.body = String::from_utf8_lossy(&rest[..length]).into_owned();
        rest = &rest[length..];
        responses.push(response);
    }
    responses
}
