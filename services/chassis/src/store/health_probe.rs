//! Notices that PostgreSQL is away, so that calls fail at once instead of after a timeout, and that
//! it takes no writes: a standby, or `default_transaction_read_only`.
use std::time::Duration;

use sea_orm::{
    DbErr, RuntimeErr, SqlxError,
    sqlx::{Connection, Executor, PgConnection, Row, postgres::PgConnectOptions},
};
use tokio::sync::watch;

const PAUSE: Duration = Duration::from_millis(250);
/// Timeout of a probe. A stopped server refuses at once; one that hangs longer has used up the time
/// of a reading rpc (docs/limits-and-timeouts.md).
const LIMIT: Duration = Duration::from_millis(800);

/// What a server does for its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Writable,
    ReadOnly,
    Away,
}

/// The state of one server, asked every 250 ms over a connection of its own, until the last clone
/// is dropped.
#[derive(Clone)]
pub(super) struct Watch {
    state: watch::Receiver<State>,
}

impl Watch {
    /// Errors: the server does not take a connection.
    pub(super) async fn start(server: PgConnectOptions) -> Result<Watch, SqlxError> {
        let mut connection = None;
        let (sender, state) = watch::channel(answer(&mut connection, &server).await?);
        tokio::spawn(ask(connection, server, sender));
        Ok(Watch { state })
    }

    pub(super) fn is_writable(&self) -> bool {
        *self.state.borrow() == State::Writable
    }

    /// What `work` gives. It is given up when the server goes away: a connection to one that hangs
    /// may never answer.
    ///
    /// Errors: those of `work`; the server is away.
    pub(super) async fn while_up<T, E: From<DbErr>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let mut state = self.state.clone();
        tokio::select! {
            biased;
            // The other end lives as long as this one.
            _ = state.wait_for(|state| *state == State::Away) => {
                Err(DbErr::Conn(RuntimeErr::Internal("the database is away".to_owned())).into())
            }
            done = work => done,
        }
    }
}

async fn ask(
    mut connection: Option<PgConnection>,
    server: PgConnectOptions,
    state: watch::Sender<State>,
) {
    while !state.is_closed() {
        tokio::time::sleep(PAUSE).await;
        let answered = tokio::time::timeout(LIMIT, answer(&mut connection, &server)).await;
        let now = match answered {
            Ok(Ok(state)) => state,
            _ => {
                // Whether it is silent for ever nobody knows.
                connection = None;
                State::Away
            }
        };
        if state.send_replace(now) != now {
            match now {
                State::Writable => tracing::info!("database is back"),
                State::ReadOnly => tracing::warn!("database is read-only"),
                State::Away => tracing::warn!("database is away"),
            }
        }
    }
    if let Some(connection) = connection
        && let Err(error) = connection.close().await
    {
        tracing::debug!(error = %error, "watching connection did not close cleanly");
    }
}

/// Asks over the connection that there is, or over a new one where that is broken.
async fn answer(
    connection: &mut Option<PgConnection>,
    server: &PgConnectOptions,
) -> Result<State, SqlxError> {
    const QUESTION: &str = "SHOW transaction_read_only";
    let known = match connection {
        Some(known) => known.fetch_one(QUESTION).await.ok(),
        None => None,
    };
    let row = match known {
        Some(row) => row,
        None => {
            *connection = None;
            let fresh = connection.insert(PgConnection::connect_with(server).await?);
            fresh.fetch_one(QUESTION).await?
        }
    };
    Ok(match row.try_get(0)? {
        "off" => State::Writable,
        _ => State::ReadOnly,
    })
}
