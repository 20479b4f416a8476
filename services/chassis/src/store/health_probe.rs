//! Health probe of PostgreSQL. It detects that the server is unavailable, so that calls fail
//! immediately instead of after a timeout, and that the server is read-only: a standby, or
//! `default_transaction_read_only`.
use std::time::Duration;

use sea_orm::{
    DbErr, RuntimeErr, SqlxError,
    sqlx::{Connection, Executor, PgConnection, Row, postgres::PgConnectOptions},
};
use tokio::sync::watch;

const PROBE_INTERVAL: Duration = Duration::from_millis(250);
/// Timeout of a probe. A stopped server refuses connections at once; waiting longer for one that
/// hangs would use up the deadline of a read rpc (docs/limits-and-timeouts.md).
const PROBE_TIMEOUT: Duration = Duration::from_millis(800);

/// State of a server as its clients see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Writable,
    ReadOnly,
    Unavailable,
}

/// Watches the state of one server: queries it every 250 ms over a separate connection until the
/// last clone is dropped.
#[derive(Clone)]
pub(super) struct Watch {
    state: watch::Receiver<State>,
}

impl Watch {
    /// # Errors
    /// The server does not accept a connection.
    pub(super) async fn start(server: PgConnectOptions) -> Result<Watch, SqlxError> {
        let mut connection = None;
        let (sender, state) = watch::channel(probe(&mut connection, &server).await?);
        tokio::spawn(probe_repeatedly(connection, server, sender));
        Ok(Watch { state })
    }

    pub(super) fn is_writable(&self) -> bool {
        *self.state.borrow() == State::Writable
    }

    /// Runs `work` until it ends or the server becomes unavailable: a connection to a server that
    /// hangs may never respond.
    ///
    /// # Errors
    /// Those of `work`; the server is unavailable.
    pub(super) async fn while_available<T, E: From<DbErr>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let mut state = self.state.clone();
        tokio::select! {
            biased;
            // The sender lives as long as this receiver.
            _ = state.wait_for(|state| *state == State::Unavailable) => {
                Err(DbErr::Conn(RuntimeErr::Internal("the database is unavailable".into())).into())
            }
            done = work => done,
        }
    }
}

async fn probe_repeatedly(
    mut connection: Option<PgConnection>,
    server: PgConnectOptions,
    state: watch::Sender<State>,
) {
    while !state.is_closed() {
        tokio::time::sleep(PROBE_INTERVAL).await;
        let outcome = tokio::time::timeout(PROBE_TIMEOUT, probe(&mut connection, &server)).await;
        let now = match outcome {
            Ok(Ok(state)) => state,
            _ => {
                // A connection that timed out may never respond: connect again.
                connection = None;
                State::Unavailable
            }
        };
        if state.send_replace(now) != now {
            match now {
                State::Writable => tracing::info!("database is available again"),
                State::ReadOnly => tracing::warn!("database is read-only"),
                State::Unavailable => tracing::warn!("database is unavailable"),
            }
        }
    }
    if let Some(connection) = connection
        && let Err(error) = connection.close().await
    {
        tracing::debug!(error = %error, "watching connection did not close cleanly");
    }
}

/// Queries the server over the existing connection, or over a new one if that is broken.
async fn probe(
    connection: &mut Option<PgConnection>,
    server: &PgConnectOptions,
) -> Result<State, SqlxError> {
    const QUERY: &str = "SHOW transaction_read_only";
    let known = match connection {
        Some(known) => known.fetch_one(QUERY).await.ok(),
        None => None,
    };
    let row = match known {
        Some(row) => row,
        None => {
            *connection = None;
            let fresh = connection.insert(PgConnection::connect_with(server).await?);
            fresh.fetch_one(QUERY).await?
        }
    };
    Ok(match row.try_get(0)? {
        "off" => State::Writable,
        _ => State::ReadOnly,
    })
}
