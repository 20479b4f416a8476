//! A lingering close: a connection is closed without losing its last response.
//!
//! If a socket is closed while the client still sends, the kernel resets the connection, and the
//! client's kernel discards the data that it had received. A client whose body or head is rejected
//! would see a broken connection instead of the response with the reason, and a caller whose call
//! crosses a GOAWAY would not know that it was not processed.

use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};
use tonic::transport::server::Connected;

/// Bounds on how long a client may continue to send after its response: in total, and without data
/// in between.
const LINGER_TIMEOUT: Duration = Duration::from_secs(3);
const LINGER_IDLE_TIMEOUT: Duration = Duration::from_millis(500);

/// A stream whose shutdown discards incoming data for a limited time.
#[derive(Debug)]
pub struct Lingering<S> {
    stream: S,
    /// Whether to wait even if the client is not sending at the moment.
    awaits_close: bool,
    /// Whether the sending side is shut down.
    closed: bool,
    discarding: Option<Discarding>,
}

#[derive(Debug)]
struct Discarding {
    end: Instant,
    idle_timer: Pin<Box<Sleep>>,
}

impl<S> Lingering<S> {
    /// Waits for a client that is sending.
    pub fn new(stream: S) -> Self {
        Self { stream, awaits_close: false, closed: false, discarding: None }
    }

    /// Waits for the client to close the connection, which it does after a GOAWAY: a new call may
    /// be in flight.
    pub fn until_closed(stream: S) -> Self {
        Self { awaits_close: true, ..Self::new(stream) }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Lingering<S> {
    /// Ready when the client closes, sends nothing, or has sent for too long.
    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.awaits_close {
            self.discarding();
        }
        let mut bytes = [0; 8 << 10];
        loop {
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {}
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => {
                    // A client that is not sending has received its response.
                    let Some(discarding) = &mut self.discarding else {
                        return Poll::Ready(());
                    };
                    return discarding.idle_timer.as_mut().poll(context);
                }
            }
            let now = Instant::now();
            let discarding = self.discarding();
            if now >= discarding.end {
                return Poll::Ready(());
            }
            discarding.idle_timer.as_mut().reset((now + LINGER_IDLE_TIMEOUT).min(discarding.end));
        }
    }

    fn discarding(&mut self) -> &mut Discarding {
        self.discarding.get_or_insert_with(|| Discarding {
            end: Instant::now() + LINGER_TIMEOUT,
            idle_timer: Box::pin(sleep(LINGER_IDLE_TIMEOUT)),
        })
    }
}

impl<S: Connected> Connected for Lingering<S> {
    type ConnectInfo = S::ConnectInfo;

    fn connect_info(&self) -> S::ConnectInfo {
        self.stream.connect_info()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.closed {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
            self.closed = true;
        }
        ready!(self.poll_discard(context));
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, BufStream, duplex},
        time::timeout,
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn silent_client_is_closed_and_sending_client_is_awaited() {
        let (_silent, server) = duplex(1 << 10);
        let began = Instant::now();
        Lingering::new(server).shutdown().await.unwrap();
        assert!(began.elapsed() < LINGER_IDLE_TIMEOUT);

        let (mut client, server) = duplex(1 << 10);
        let mut server = Lingering::new(server);
        client.write_all(b"much").await.unwrap();
        let sending = tokio::spawn(async move {
            client.write_all(&[0; 100 << 10]).await.unwrap();
            let mut response = String::new();
            client.read_to_string(&mut response).await.unwrap();
            response
        });
        server.write_all(b"no").await.unwrap();
        server.shutdown().await.unwrap();
        assert_eq!(sending.await.unwrap(), "no");
    }

    #[tokio::test(start_paused = true)]
    async fn flush_sends_what_the_stream_buffers() {
        let (mut client, server) = duplex(1 << 10);
        let mut server = Lingering::new(BufStream::new(server));
        assert!(server.is_write_vectored());
        server.write_all(b"no").await.unwrap();
        let mut response = [0; 2];
        timeout(LINGER_IDLE_TIMEOUT, client.read_exact(&mut response)).await.unwrap_err();
        server.flush().await.unwrap();
        timeout(LINGER_IDLE_TIMEOUT, client.read_exact(&mut response)).await.unwrap().unwrap();
        assert_eq!(&response, b"no");
    }

    #[tokio::test(start_paused = true)]
    async fn client_that_closes_is_awaited() {
        for (pause, ends_after) in [
            (LINGER_IDLE_TIMEOUT / 2, LINGER_IDLE_TIMEOUT / 2),
            (LINGER_TIMEOUT, LINGER_IDLE_TIMEOUT),
        ] {
            let (client, server) = duplex(1 << 10);
            let began = Instant::now();
            tokio::spawn(async move {
                tokio::time::sleep(pause).await;
                drop(client);
            });
            Lingering::until_closed(server).shutdown().await.unwrap();
            assert!(began.elapsed() >= ends_after && began.elapsed() < ends_after * 3 / 2);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn endless_client_is_closed() {
        let (mut client, server) = duplex(1 << 10);
        client.write_all(b"x").await.unwrap();
        let sending = tokio::spawn(async move {
            while client.write_all(b"x").await.is_ok() {
                tokio::time::sleep(LINGER_IDLE_TIMEOUT / 2).await;
            }
        });
        let began = Instant::now();
        Lingering::new(server).shutdown().await.unwrap();
        assert!(began.elapsed() >= LINGER_TIMEOUT && began.elapsed() < LINGER_TIMEOUT * 2);
        sending.await.unwrap();
    }
}
