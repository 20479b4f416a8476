//! A client of server-sent events.

use std::net::SocketAddr;

use anyhow::{Context, ensure};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use crate::client::{Connection, Request};

/// An open stream; closed when dropped.
pub(crate) struct EventStream {
    body: Incoming,
    buffer: Vec<u8>,
    /// hyper closes the connection once its sender is dropped.
    _connection: Connection,
}

impl EventStream {
    /// # Errors
    /// The status is not 200.
    pub(crate) async fn open(
        address: SocketAddr,
        request: &Request,
    ) -> anyhow::Result<EventStream> {
        let mut connection = Connection::open(address).await?;
        let response = connection.send(request).await?;
        ensure!(response.status() == 200, "answers {}", response.status());
        Ok(EventStream { body: response.into_body(), buffer: Vec::new(), _connection: connection })
    }

    /// Waits for events or comments, and returns the text of all complete ones.
    ///
    /// # Errors
    /// The stream has ended.
    pub(crate) async fn events(&mut self) -> anyhow::Result<String> {
        loop {
            let frame = self.body.frame().await.context("the stream has ended")??;
            self.buffer.extend_from_slice(&frame.into_data().unwrap_or_default());
            // An event ends with a blank line.
            if let Some(end) = self.buffer.windows(2).rposition(|two| two == b"\n\n") {
                let rest = self.buffer.split_off(end + 2);
                return Ok(String::from_utf8(std::mem::replace(&mut self.buffer, rest))?);
            }
        }
    }
}
