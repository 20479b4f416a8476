//! Notices that PostgreSQL is away, so that calls fail at once instead of after a timeout.
use std::time::Duration;

use sea_orm::{
    DbErr, RuntimeErr, SqlxError,
    sqlx::{Connection, Executor, PgConnection, postgres::PgConnectOptions},
};
use tokio::sync::watch;

const PAUSE: Duration = Duration::from_millis(250);
/// A server that is gone refuses at once. One that hangs so long has cost a reading rpc all its
/// time (contract §8).
const LIMIT: Duration = Duration::from_millis(800);

/// The state of one server, asked every 250 ms over a connection of its own, until the last clone
/// is dropped.
#[derive(Clone)]
pub(super) struct Watch {
    up: watch::Receiver<bool>,
}

impl Watch {
    /// Errors: the server does not take a connection.
    pub(super) async fn start(server: PgConnectOptions) -> Result<Watch, SqlxError> {
        let connection = PgConnection::connect_with(&server).await?;
        let (sender, up) = watch::channel(true);
        tokio::spawn(ask(connection, server, sender));
        Ok(Watch { up })
    }

    pub(super) fn is_up(&self) -> bool {
        *self.up.borrow()
    }

    /// What `work` gives. It is given up when the server goes away: a connection to one that hangs
    /// may never answer.
    ///
    /// Errors: those of `work`; the server is away.
    pub(super) async fn while_up<T, E: From<DbErr>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let mut up = self.up.clone();
        tokio::select! {
            biased;
            // The other end lives as long as this one.
            _ = up.wait_for(|up| !up) => {
                Err(DbErr::Conn(RuntimeErr::Internal("the database is away".to_owned())).into())
            }
            done = work => done,
        }
    }
}

async fn ask(first: PgConnection, server: PgConnectOptions, up: watch::Sender<bool>) {
    let mut connection = Some(first);
    while !up.is_closed() {
        tokio::time::sleep(PAUSE).await;
        let answer = tokio::time::timeout(LIMIT, answers(&mut connection, &server)).await;
        let is_up = matches!(answer, Ok(Ok(())));
        if !is_up {
            // Whether it is silent for ever nobody knows.
            connection = None;
        }
        if up.send_replace(is_up) != is_up {
            match is_up {
                true => tracing::info!("database is back"),
                false => tracing::warn!("database is away"),
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
async fn answers(
    connection: &mut Option<PgConnection>,
    server: &PgConnectOptions,
) -> Result<(), SqlxError> {
    const QUESTION: &str = "SELECT 1";
    if let Some(known) = connection {
        if known.execute(QUESTION).await.is_ok() {
            return Ok(());
        }
        *connection = None;
    }
    connection.insert(PgConnection::connect_with(server).await?).execute(QUESTION).await?;
    Ok(())
}
