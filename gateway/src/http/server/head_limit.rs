//! Limits the request heads of HTTP/1.1: a large head needs a permit of the client's address, and an unreadable one gets
//! a response with a body.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use bytes::{Buf, Bytes};
use http::{StatusCode, Version};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::SetOnce,
};

use super::RefuseHead;
use crate::limits::{AddressShare, Permit};

/// Size of a request head that any connection may send, bytes; a larger head needs a permit.
const MAX_SMALL_HEAD_BYTES: usize = 8 << 10;

/// The protocol of a connection, once detected, and the state of the request that is being read.
#[derive(Debug, Default)]
pub(super) struct HeadState {
    protocol: SetOnce<Version>,
    /// A request head was read, and nothing of its response has been written.
    is_in_body: AtomicBool,
}

impl HeadState {
    /// Records that a request head is complete.
    pub(super) fn begin_request(&self, version: Version) {
        self.set_protocol(version);
        self.is_in_body.store(true, Ordering::Relaxed);
    }

    /// Returns the protocol once it is known.
    pub(super) async fn protocol(&self) -> Version {
        *self.protocol.wait().await
    }

    pub(super) fn is_http2(&self) -> bool {
        self.protocol.get() == Some(&Version::HTTP_2)
    }

    fn set_protocol(&self, version: Version) {
        if self.protocol.get().is_none() {
            // Fails only if the same value is already set: one task reads and writes.
            let _ = self.protocol.set(version);
        }
    }
}

/// A stream that limits the request heads read from it.
pub(super) struct HeadLimit<S> {
    stream: S,
    state: Arc<HeadState>,
    share: AddressShare,
    /// Bytes of the request head that is being read.
    head_bytes: usize,
    large_head: Option<Permit>,
    refuse_head: RefuseHead,
    /// The rest of the response that is written in place of hyper's own.
    refusal: Bytes,
}

impl<S> HeadLimit<S> {
    pub(super) fn new(
        stream: S,
        state: Arc<HeadState>,
        share: AddressShare,
        refuse_head: RefuseHead,
    ) -> Self {
        let refusal = Bytes::new();
        Self { stream, state, share, head_bytes: 0, large_head: None, refuse_head, refusal }
    }

    fn is_in_head(&self) -> bool {
        !self.state.is_in_body.load(Ordering::Relaxed) && !self.state.is_http2()
    }

    /// Counts bytes that were read; a large head holds a permit until its request is complete.
    fn count_head(&mut self, count: usize) -> io::Result<()> {
        if !self.is_in_head() {
            (self.head_bytes, self.large_head) = (0, None);
            return Ok(());
        }
        self.head_bytes = self.head_bytes.saturating_add(count);
        if self.head_bytes > MAX_SMALL_HEAD_BYTES && self.large_head.is_none() {
            let too_many = || io::Error::other("too many large request heads");
            self.large_head = Some(self.share.large_head().ok_or_else(too_many)?);
        }
        Ok(())
    }

    /// Starts a response with a body if `bytes` are hyper's response without one to an unreadable head.
    fn replace_bare_refusal(&mut self, bytes: &[u8]) {
        if self.refusal.is_empty()
            && self.is_in_head()
            && let Some(status) = bare_refusal(bytes)
        {
            self.refusal = (self.refuse_head)(status);
        }
    }

    /// Notes that hyper has written `bytes`.
    fn note_written(&self, bytes: &[u8]) {
        // The body follows an interim response.
        if bytes.starts_with(b"HTTP/1.1 100 ") {
            return;
        }
        if self.is_in_head() {
            // Only an HTTP/2 server writes before the first request: its SETTINGS frame.
            self.state.set_protocol(Version::HTTP_2);
        }
        // What is read from now on is the head of the next request.
        self.state.is_in_body.store(false, Ordering::Relaxed);
    }
}

/// The status, if these bytes are hyper's response without a body to an unreadable request.
fn bare_refusal(bytes: &[u8]) -> Option<StatusCode> {
    let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let (first, lines) = head.split_once("\r\n")?;
    let status = first.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse::<StatusCode>().ok()?;
    let is_bare = lines.split("\r\n").any(|line| line == "content-length: 0");
    (status.is_client_error() && is_bare).then_some(status)
}

impl<S: AsyncRead + Unpin> AsyncRead for HeadLimit<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let count = buffer.filled().len() - before;
        Poll::Ready(self.count_head(count))
    }
}

impl<S: AsyncWrite + Unpin> HeadLimit<S> {
    /// Writes the response that replaces `replaced` bytes of hyper's.
    fn poll_refusal(
        &mut self,
        context: &mut Context<'_>,
        replaced: usize,
    ) -> Poll<io::Result<usize>> {
        while !self.refusal.is_empty() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(context, &self.refusal))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.refusal.advance(count);
        }
        Poll::Ready(Ok(replaced))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeadLimit<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [bytes] = parts {
            self.replace_bare_refusal(bytes);
        }
        let written = match self.refusal.is_empty() {
            true => ready!(Pin::new(&mut self.stream).poll_write_vectored(context, parts)),
            false => {
                let length = parts.iter().map(|part| part.len()).sum();
                ready!(self.poll_refusal(context, length))
            }
        };
        self.note_written(parts.first().map_or(&[], |first| first));
        Poll::Ready(written)
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
