//! A client's stream as hyper sees it: told apart by its protocol, and to be had back from hyper.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::body::Body;
use http::Response;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

/// What every connection of HTTP/2 begins with, and no request of HTTP/1.1 (RFC 9113 §3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    Http1,
    Http2,
}

/// A stream whose first bytes were read to know the protocol, and are read again.
#[derive(Debug)]
pub(super) struct Wire<S> {
    stream: S,
    first: [u8; PREFACE.len()],
    filled: usize,
    read: usize,
    handover: Arc<Handover>,
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
        Ok((protocol, Self { stream, first, filled, read: 0, handover: Arc::default() }))
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

    fn noted<T>(&self, written: Poll<T>) -> Poll<T> {
        self.handover.is_stuck.store(written.is_pending(), Ordering::Relaxed);
        written
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
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.noted(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
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
}

impl Handover {
    pub(super) fn offer(&self, answer: Response<Body>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
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
    async fn the_protocol_is_told_and_nothing_is_lost() {
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
