//! Notices that PostgreSQL is away, so that calls fail at once instead of after a timeout.
use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sea_orm::{ConnectionTrait, DatabaseConnection};

const PAUSE: Duration = Duration::from_millis(250);
const LIMIT: Duration = Duration::from_millis(900);

/// The state of one server, asked every 250 ms over a connection of its own.
pub(super) struct Watch {
    up: Arc<AtomicBool>,
    closed: DatabaseConnection,
}

impl Watch {
    /// Watches until it is dropped; `closed` is what callers get while the server is away.
    pub(super) fn start(probe: DatabaseConnection, closed: DatabaseConnection) -> Watch {
        let up = Arc::new(AtomicBool::new(true));
        tokio::spawn(ask(probe, Arc::downgrade(&up)));
        Watch { up, closed }
    }

    pub(super) fn is_up(&self) -> bool {
        self.up.load(Ordering::Relaxed)
    }

    pub(super) fn closed(&self) -> &DatabaseConnection {
        &self.closed
    }
}

async fn ask(probe: DatabaseConnection, up: Weak<AtomicBool>) {
    loop {
        tokio::time::sleep(PAUSE).await;
        let answer = tokio::time::timeout(LIMIT, probe.execute_unprepared("SELECT 1")).await;
        let is_up = matches!(answer, Ok(Ok(_)));
        let Some(up) = up.upgrade() else { break };
        if up.swap(is_up, Ordering::Relaxed) != is_up {
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
