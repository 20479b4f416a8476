//! Detects the protocol of a connection (HTTP/1.1 or HTTP/2), and lets a response take the stream back from hyper.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use axum::body::Body;
use bytes::{Buf, Bytes};
use http::{Response, StatusCode};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

use crate::limits::{Permit, Share};

/// What every connection of HTTP/2 begins with, and no request of HTTP/1.1 (RFC 9113 §3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Bytes of a request head that any connection may send; a longer head needs a permit.
const MAX_SMALL_HEAD_BYTES: usize = 8 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Http1,
    Http2,
}

/// A stream whose first bytes were read to know the protocol, and are read again.
pub(super) struct Wire<S> {
    stream: S,
    first: [u8; PREFACE.len()],
    filled: usize,
    read: usize,
    handover: Arc<Handover>,
    /// Permits of the client's address; none: the size of heads is not judged here.
    share: Option<Share>,
    /// Bytes of the request head that is coming in.
    head_bytes: usize,
    large_head: Option<Permit>,
    /// Makes the answer to a head that hyper refuses; empty: hyper's own, which has no body.
    refuse_head: fn(StatusCode) -> Bytes,
    /// The answer that is written in place of hyper's own.
    error: Bytes,
}

impl<S: AsyncRead + Unpin> Wire<S> {
    /// Reads until the protocol is clear.
    pub(super) async fn begin(mut stream: S) -> io::Result<(Protocol, Self)> {
        let mut first = [0; PREFACE.len()];
        let mut filled = 0;
        let protocol = loop {
            if filled == first.len() {
                break Protocol::Http2;
            }
            let count = stream.read(&mut first[filled..]).await?;
            filled += count;
            if count == 0 || first[..filled] != PREFACE[..filled] {
                break Protocol::Http1;
            }
        };
        let wire = Self {
            stream,
            first,
            filled,
            read: 0,
            handover: Arc::default(),
            share: None,
            head_bytes: 0,
            large_head: None,
            refuse_head: |_| Bytes::new(),
            error: Bytes::new(),
        };
        Ok((protocol, wire))
    }
}

impl<S> Wire<S> {
    pub(super) fn handover(&self) -> Arc<Handover> {
        Arc::clone(&self.handover)
    }

    /// The stream, once its first bytes have been read.
    pub(super) fn into_inner(self) -> S {
        self.stream
    }

    /// Has large request heads of HTTP/1.1 need permits of the client's address, and unreadable ones
    /// answered by `refuse_head`.
    pub(super) fn limit_heads(
        mut self,
        share: Share,
        refuse_head: fn(StatusCode) -> Bytes,
    ) -> Self {
        (self.share, self.refuse_head) = (Some(share), refuse_head);
        self
    }

    fn noted<T>(&self, written: Poll<T>) -> Poll<T> {
        self.handover.is_stuck.store(written.is_pending(), Ordering::Relaxed);
        if written.is_ready() {
            // The answer to a request: what is read from now on is the next one's head.
            self.handover.is_in_body.store(false, Ordering::Relaxed);
        }
        written
    }

    /// Counts bytes that were read; a large head takes a permit until its request is complete.
    fn count_head(&mut self, count: usize) -> io::Result<()> {
        let Some(share) = &self.share else { return Ok(()) };
        if self.handover.is_in_body.load(Ordering::Relaxed) {
            (self.head_bytes, self.large_head) = (0, None);
            return Ok(());
        }
        self.head_bytes = self.head_bytes.saturating_add(count);
        if self.head_bytes > MAX_SMALL_HEAD_BYTES && self.large_head.is_none() {
            let too_many = || io::Error::other("too many large request heads");
            self.large_head = Some(share.large_head().ok_or_else(too_many)?);
        }
        Ok(())
    }

    /// Begins an answer with a body where hyper is about to refuse a head with none.
    fn replace_own_answer(&mut self, bytes: &[u8]) {
        if self.share.is_some()
            && self.error.is_empty()
            && !self.handover.is_in_body.load(Ordering::Relaxed)
            && let Some(status) = own_answer(bytes)
        {
            self.error = (self.refuse_head)(status);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read < self.filled {
            let end = self.filled.min(self.read + buffer.remaining());
            buffer.put_slice(&self.first[self.read..end]);
            self.read = end;
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let count = buffer.filled().len() - before;
        Poll::Ready(self.count_head(count))
    }
}

/// The status of an answer that hyper makes for a request that it cannot read.
fn own_answer(bytes: &[u8]) -> Option<StatusCode> {
    let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let (first, lines) = head.split_once("\r\n")?;
    let status = first.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse::<StatusCode>().ok()?;
    let is_bare = lines.split("\r\n").any(|line| line == "content-length: 0");
    (status.is_client_error() && is_bare).then_some(status)
}

impl<S: AsyncWrite + Unpin> Wire<S> {
    /// Writes the answer that replaces `replaced` bytes of hyper's.
    fn poll_error(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        replaced: usize,
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        while !this.error.is_empty() {
            let count = ready!(Pin::new(&mut this.stream).poll_write(context, &this.error))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            this.error.advance(count);
        }
        Poll::Ready(Ok(replaced))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.replace_own_answer(bytes);
        let written = match self.error.is_empty() {
            true => Pin::new(&mut self.stream).poll_write(context, bytes),
            false => self.as_mut().poll_error(context, bytes.len()),
        };
        self.noted(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [bytes] = parts {
            self.replace_own_answer(bytes);
        }
        let written = match self.error.is_empty() {
            true => Pin::new(&mut self.stream).poll_write_vectored(context, parts),
            false => {
                let length = parts.iter().map(|part| part.len()).sum();
                self.as_mut().poll_error(context, length)
            }
        };
        self.noted(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// An answer that hyper is not to write, and whether hyper has written all that came before it.
#[derive(Debug, Default)]
pub(super) struct Handover {
    answer: Mutex<Option<Response<Body>>>,
    /// The last write came to nothing: hyper holds bytes of an earlier answer.
    is_stuck: AtomicBool,
    /// A request's head has been read, and nothing of its answer has been written.
    is_in_body: AtomicBool,
}

impl Handover {
    pub(super) fn offer(&self, answer: Response<Body>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    }

    /// Says that a request's head is complete.
    pub(super) fn begin_body(&self) {
        self.is_in_body.store(true, Ordering::Relaxed);
    }

    /// The answer; none while earlier ones are on their way. To be asked after hyper was polled,
    /// which writes all that it holds, or as much as goes.
    pub(super) fn take(&self) -> Option<Response<Body>> {
        if self.is_stuck.load(Ordering::Relaxed) {
            return None;
        }
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tokio::io::{AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn the_protocol_is_detected_and_no_byte_is_lost() {
        let preface = std::str::from_utf8(PREFACE).unwrap();
        for (sent, protocol) in [
            (String::new(), Protocol::Http1),
            ("G".to_owned(), Protocol::Http1),
            ("GET / HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(), Protocol::Http1),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r!".to_owned(), Protocol::Http1),
            (preface[..23].to_owned(), Protocol::Http1),
            (preface.to_owned(), Protocol::Http2),
            (format!("{preface}more"), Protocol::Http2),
        ] {
            for piece in [1, 5, 100] {
                let (mut client, server) = duplex(1 << 10);
                let pieces = sent.clone();
                let sending = tokio::spawn(async move {
                    for part in pieces.as_bytes().chunks(piece) {
                        client.write_all(part).await.unwrap();
                        tokio::task::yield_now().await;
                    }
                });
                let (told, mut wire) = Wire::begin(server).await.unwrap();
                let mut read = String::new();
                wire.read_to_string(&mut read).await.unwrap();
                assert_eq!((told, read.as_str()), (protocol, sent.as_str()));
                sending.await.unwrap();
            }
        }
    }

    #[tokio::test]
    async fn nothing_is_handed_over_before_what_came_earlier() {
        let (mut client, server) = duplex(4);
        client.write_all(b"GET ").await.unwrap();
        let (_, mut wire) = Wire::begin(server).await.unwrap();
        let handover = wire.handover();
        assert!(handover.take().is_none());
        handover.offer(Response::default());
        {
            let mut writing = std::pin::pin!(wire.write_all(b"earlier"));
            assert!(futures_util::poll!(writing.as_mut()).is_pending());
            assert!(handover.take().is_none());
            let mut read = [0; 7];
            let (written, all) = tokio::join!(writing, client.read_exact(&mut read));
            assert!(written.is_ok() && all.is_ok());
        }
        assert!(handover.take().is_some());
        assert!(handover.take().is_none());
    }
}
