//! A minimal HTTP/1.1 client on one persistent connection. Its cost is part of both sides of a ratio.

use std::net::SocketAddr;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

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

/// A GET request's bytes. Later headers replace earlier ones of the same name.
pub(crate) fn get(path: &str, headers: &[&[(&str, &str)]]) -> Vec<u8> {
    head("GET", path, headers).into_bytes()
}

/// A POST request's bytes, its body JSON.
pub(crate) fn post(path: &str, headers: &[&[(&str, &str)]], body: &[u8]) -> Vec<u8> {
    let length = body.len().to_string();
    let own: &[(&str, &str)] = &[("content-type", "application/json"), ("content-length", &length)];
    let head = head("POST", path, &[&headers.concat(), own]);
    [head.as_bytes(), body].concat()
}

fn head(method: &str, path: &str, headers: &[&[(&str, &str)]]) -> String {
    let all: Vec<(&str, &str)> = headers.concat();
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n");
    for (at, (name, value)) in all.iter().enumerate() {
        if all[at + 1..].iter().all(|(later, _)| later != name) {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    text.push_str("\r\n");
    text
}

/// A complete response.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The first header with this name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A persistent connection with one request at a time.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> anyhow::Result<Connection> {
        let stream = TcpStream::connect(address).await.context("cannot connect")?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, buffer: Vec::with_capacity(256 << 10) })
    }

    /// Sends a request and reads the whole response; returns the status.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<u16> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let mut end = None;
        loop {
            ensure!(self.stream.read_buf(&mut self.buffer).await? > 0, "the server hung up");
            if end.is_none() {
                end = answer_end(&self.buffer)?;
            }
            match end {
                Some((_, end)) if self.buffer.len() > end => bail!("more bytes than announced"),
                Some((status, end)) if self.buffer.len() == end => return Ok(status),
                _ => {}
            }
        }
    }

    /// Size of the last response, head and body.
    pub(crate) fn answer_bytes(&self) -> usize {
        self.buffer.len()
    }

    /// As [`exchange`](Self::exchange); returns the response.
    pub(crate) async fn fetch(&mut self, request: &[u8]) -> anyhow::Result<Answer> {
        let status = self.exchange(request).await?;
        let head = head_end(&self.buffer).context("no head")?;
        let headers = std::str::from_utf8(&self.buffer[..head])?
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        Ok(Answer { status, headers, body: self.buffer[head..].to_vec() })
    }
}

/// Status and end of a response, once its head is complete.
fn answer_end(bytes: &[u8]) -> anyhow::Result<Option<(u16, usize)>> {
    let Some(head) = head_end(bytes) else { return Ok(None) };
    let status = bytes
        .get(9..12)
        .and_then(|digits| std::str::from_utf8(digits).ok())
        .and_then(|digits| digits.parse().ok())
        .context("no status line")?;
    if status == 304 {
        return Ok(Some((status, head)));
    }
    if let Some(length) = header(&bytes[..head], b"content-length:") {
        return Ok(Some((status, head + length.parse::<usize>()?)));
    }
    let coding = header(&bytes[..head], b"transfer-encoding:");
    ensure!(coding == Some("chunked"), "an answer that does not say where it ends");
    Ok(chunks_end(bytes, head)?.map(|end| (status, end)))
}

/// The end of the last chunk, once it is complete.
fn chunks_end(bytes: &[u8], mut at: usize) -> anyhow::Result<Option<usize>> {
    loop {
        let Some(line) = bytes[at..].windows(2).position(|two| two == b"\r\n") else {
            return Ok(None);
        };
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[at..at + line])?, 16)?;
        at += line + 2 + size + 2;
        if at > bytes.len() {
            return Ok(None);
        }
        if size == 0 {
            return Ok(Some(at));
        }
    }
}

fn head_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

/// A header's value; `name` in lower case, with its colon.
fn header<'a>(head: &'a [u8], name: &[u8]) -> Option<&'a str> {
    head.split(|byte| *byte == b'\n')
        .find(|line| line.len() > name.len() && line[..name.len()].eq_ignore_ascii_case(name))
        .and_then(|line| Some(std::str::from_utf8(&line[name.len()..]).ok()?.trim()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn response_ends_by_length_or_last_chunk() {
        let cases = [
            ("HTTP/1.1 200 OK\r\ncontent-le", None),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", Some((200, 41))),
            ("HTTP/1.1 304 Not Modified\r\netag: \"a\"\r\n\r\n", Some((304, 40))),
            ("HTTP/1.1 404 Not Found\r\ncontent-length:0\r\n\r\n", Some((404, 44))),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0\r\n\r\n", None),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
                Some((200, 59)),
            ),
        ];
        for (text, end) in cases {
            assert_eq!(answer_end(text.as_bytes()).unwrap(), end, "{text}");
        }
        assert!(answer_end(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
        assert!(answer_end(b"no answer\r\n\r\n").is_err());
    }

    #[test]
    fn later_header_replaces_earlier_one() {
        let request = get("/x", &[&[("a", "1"), ("b", "2")], &[("a", "3")]]);
        assert_eq!(request, b"GET /x HTTP/1.1\r\nhost: 127.0.0.1\r\nb: 2\r\na: 3\r\n\r\n");
    }
}
