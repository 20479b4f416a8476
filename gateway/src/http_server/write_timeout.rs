//! A write timeout: a connection whose client does not read fails after [`WRITE_TIMEOUT`].
//!
//! Data that waits for such a client is bounded by the buffers of its connection; without a timeout it would hold
//! them, and its response, for ever.

use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// How long a client may read nothing while data waits for it.
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// A stream whose writes fail after they have made no progress for too long.
#[derive(Debug)]
pub(crate) struct WriteTimeout<S> {
    stream: S,
    /// Since when data waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, waiting: None }
    }

    fn written(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        ready!(waiting.as_mut().poll(context));
        let why = "the client takes nothing of what it is sent";
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, why)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(context, written)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::Instant,
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_disconnected() {
        let (_client, server) = duplex(1 << 10);
        let mut server = WriteTimeout::new(server);
        let began = Instant::now();
        let error = server.write_all(&[0; 4 << 10]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= WRITE_TIMEOUT && began.elapsed() < WRITE_TIMEOUT * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_client_that_makes_progress_gets_everything() {
        let (mut client, server) = duplex(1 << 10);
        let mut server = WriteTimeout::new(server);
        let sending = tokio::spawn(async move { server.write_all(&[7; 4 << 10]).await });
        let mut taken = 0;
        while taken < 4 << 10 {
            tokio::time::sleep(WRITE_TIMEOUT - Duration::from_secs(1)).await;
            taken += client.read(&mut [0; 512]).await.unwrap();
        }
        sending.await.unwrap().unwrap();
    }
}
