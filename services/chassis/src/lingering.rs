//! A connection that is closed without losing its last answer.
//!
//! Closing a socket while the client still sends makes the kernel reset the connection, and the
//! client's kernel then forgets what it had received: a client whose body or head is refused would
//! see a broken connection instead of the answer that says why, and a caller whose call crosses a
//! GOAWAY would not know that nobody looked at it.

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

/// How long a client may go on sending after its answer: in all, and with nothing in between.
const LINGER: Duration = Duration::from_secs(3);
const SILENCE: Duration = Duration::from_millis(500);

/// A stream whose shutdown passes over what the client is still sending, for a while.
#[derive(Debug)]
pub struct Lingering<S> {
    stream: S,
    /// Also where the client sends nothing at the moment.
    waits: bool,
    /// Nothing more goes out.
    closed: bool,
    passing_over: Option<PassingOver>,
}

#[derive(Debug)]
struct PassingOver {
    end: Instant,
    silence: Pin<Box<Sleep>>,
}

impl<S> Lingering<S> {
    /// Waits for a client that is sending.
    pub fn new(stream: S) -> Self {
        Self { stream, waits: false, closed: false, passing_over: None }
    }

    /// Waits for any client to close, as those do that were told by a GOAWAY: the next call may be
    /// on its way.
    pub fn until_closed(stream: S) -> Self {
        Self { waits: true, ..Self::new(stream) }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Lingering<S> {
    /// Ready when the client ends, sends nothing, or has sent for too long.
    fn poll_pass_over(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.waits {
            self.passing_over();
        }
        let mut bytes = [0; 8 << 10];
        loop {
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {}
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => {
                    // Whoever does not send now has been answered well.
                    let Some(passing_over) = &mut self.passing_over else {
                        return Poll::Ready(());
                    };
                    return passing_over.silence.as_mut().poll(context);
                }
            }
            let now = Instant::now();
            let passing_over = self.passing_over();
            if now >= passing_over.end {
                return Poll::Ready(());
            }
            passing_over.silence.as_mut().reset((now + SILENCE).min(passing_over.end));
        }
    }

    fn passing_over(&mut self) -> &mut PassingOver {
        self.passing_over.get_or_insert_with(|| PassingOver {
            end: Instant::now() + LINGER,
            silence: Box::pin(sleep(SILENCE)),
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
        ready!(self.poll_pass_over(context));
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_silent_client_is_let_go_and_a_sending_one_is_heard_out() {
        let (_silent, server) = duplex(1 << 10);
        let began = Instant::now();
        Lingering::new(server).shutdown().await.unwrap();
        assert!(began.elapsed() < SILENCE);

        let (mut client, server) = duplex(1 << 10);
        let mut server = Lingering::new(server);
        client.write_all(b"much").await.unwrap();
        let sending = tokio::spawn(async move {
            client.write_all(&[0; 100 << 10]).await.unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            answer
        });
        server.write_all(b"no").await.unwrap();
        server.shutdown().await.unwrap();
        assert_eq!(sending.await.unwrap(), "no");
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_closes_is_waited_for() {
        for (pause, ends_after) in [(SILENCE / 2, SILENCE / 2), (LINGER, SILENCE)] {
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
    async fn an_endless_client_is_cut_off() {
        let (mut client, server) = duplex(1 << 10);
        client.write_all(b"x").await.unwrap();
        let sending = tokio::spawn(async move {
            while client.write_all(b"x").await.is_ok() {
                tokio::time::sleep(SILENCE / 2).await;
            }
        });
        let began = Instant::now();
        Lingering::new(server).shutdown().await.unwrap();
        assert!(began.elapsed() >= LINGER && began.elapsed() < LINGER * 2);
        sending.await.unwrap();
    }
}
