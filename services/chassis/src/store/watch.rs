//! Notices that PostgreSQL is away, so that calls fail at once instead of after a timeout.
use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseConnection};
use tokio::sync::watch;

const PAUSE: Duration = Duration::from_millis(250);
/// A server that is gone refuses at once; one that is only busy may take this long.
const LIMIT: Duration = Duration::from_secs(2);

/// The state of one server, asked every 250 ms over a connection of its own.
pub(super) struct Watch {
    up: watch::Receiver<bool>,
    closed: DatabaseConnection,
}

impl Watch {
    /// Watches until it is dropped; `closed` is what callers get while the server is away.
    pub(super) fn start(probe: DatabaseConnection, closed: DatabaseConnection) -> Watch {
        let (sender, up) = watch::channel(true);
        tokio::spawn(ask(probe, sender));
        Watch { up, closed }
    }

    pub(super) fn is_up(&self) -> bool {
        *self.up.borrow()
    }

    /// Ends when the server is away.
    pub(super) async fn is_down(&self) {
        // The other end lives as long as this one.
        let _ = self.up.clone().wait_for(|up| !up).await;
    }

    pub(super) fn closed(&self) -> &DatabaseConnection {
        &self.closed
    }
}

async fn ask(probe: DatabaseConnection, up: watch::Sender<bool>) {
    while !up.is_closed() {
        tokio::time::sleep(PAUSE).await;
        let answer = tokio::time::timeout(LIMIT, probe.execute_unprepared("SELECT 1")).await;
        let is_up = matches!(answer, Ok(Ok(_)));
        if up.send_replace(is_up) != is_up {
            match is_up {
                true => tracing::info!("database is back"),
                false => tracing::warn!("database is away"),
            }
        }
    }
    if let Err(error) = probe.close().await {
        tracing::debug!(error = %error, "watching connection did not close cleanly");
    }
}
