//! A connection whose client does not take what it is sent, and how long that may go on.
//!
//! What waits for such a client is bounded by the buffers of its connection; without an end it
//! would hold them, and what it was answered with, for ever.

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

/// How long a client may take nothing of what waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A stream whose writing fails once it has come to a standstill for too long.
#[derive(Debug)]
pub(crate) struct Patient<S> {
    stream: S,
    /// Since something waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
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
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        ready!(waiting.as_mut().poll(context));
        let why = "the client takes nothing of what it is sent";
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, why)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
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
    async fn who_takes_nothing_is_let_go() {
        let (_client, server) = duplex(1 << 10);
        let mut server = Patient::new(server);
        let began = Instant::now();
        let error = server.write_all(&[0; 4 << 10]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= PATIENCE && began.elapsed() < PATIENCE * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_a_little_now_and_then_gets_it_all() {
        let (mut client, server) = duplex(1 << 10);
        let mut server = Patient::new(server);
        let sending = tokio::spawn(async move { server.write_all(&[7; 4 << 10]).await });
        let mut taken = 0;
        while taken < 4 << 10 {
            tokio::time::sleep(PATIENCE - Duration::from_secs(1)).await;
            taken += client.read(&mut [0; 512]).await.unwrap();
        }
        sending.await.unwrap().unwrap();
    }
}
