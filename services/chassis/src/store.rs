//! A service's store: one SQLite file (the embedded default) or one PostgreSQL schema, with the
//! same code for both.
//!
//! Reading connections cannot write, and [`Store::write`] is the only way to write, because SQLite
//! transactions that begin deferred fail under concurrency.
pub mod entity;
mod error;
mod health_probe;
mod metrics;
mod migrations;
mod open;
mod query_tracing;
mod reader;
mod statements;
mod write_probe;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};

use crate::error::{Error, ErrorCode, Result};
pub use crate::settings::DatabaseUrl;
pub use migrations::SqlMigration;
pub use reader::Reader;
pub use statements::{delete, rows_after, upsert};

/// Timeout of the query of [`Store::ping`].
const PING_TIMEOUT: Duration = Duration::from_millis(800);

/// The database behind a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// One file.
    Sqlite,
    /// One schema.
    Postgres,
}

/// A service's store; clones share it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    engine: Engine,
    reader: Reader,
    writer: DatabaseConnection,
    /// PostgreSQL only: detects that the server is unavailable, so that calls fail immediately.
    watch: Option<health_probe::Watch>,
    /// Shared with the transactions that wait for a connection, which counts them.
    waiting: Arc<()>,
    /// False after a transaction failed because the database was unavailable, until one commits.
    is_writable: AtomicBool,
    write_probe: write_probe::WriteProbe,
}

impl Inner {
    fn new(
        engine: Engine,
        reader: Reader,
        writer: DatabaseConnection,
        watch: Option<health_probe::Watch>,
    ) -> Inner {
        Inner {
            engine,
            reader,
            writer,
            watch,
            waiting: Arc::default(),
            is_writable: AtomicBool::new(true),
            write_probe: write_probe::WriteProbe::default(),
        }
    }

    /// Whether the database was available in the last probe or transaction.
    fn is_available(&self) -> bool {
        match &self.watch {
            Some(watch) => watch.is_writable(),
            None => self.is_writable.load(Ordering::Relaxed),
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("engine", &self.inner.engine).finish_non_exhaustive()
    }
}

impl Store {
    /// Connections for queries outside a transaction; writing through them fails. When the database
    /// becomes unavailable, calls in progress fail immediately.
    pub fn reader(&self) -> &Reader {
        &self.inner.reader
    }

    /// Runs `f` in one transaction: BEGIN IMMEDIATE on SQLite, BEGIN on PostgreSQL. Commits to disk
    /// if `f` returns `Ok`. Otherwise, and when the future is dropped, everything is rolled back.
    ///
    /// A connection whose commit or rollback failed is closed: its next transaction could otherwise
    /// become a savepoint of one that never commits.
    ///
    /// # Errors
    /// Those of `f`; `Unavailable` if the database is unavailable, stays locked or cannot write
    /// (full or read-only disk). If it becomes unavailable during the commit, the transaction may
    /// have committed.
    pub async fn write<T>(
        &self,
        f: impl AsyncFnOnce(&DatabaseTransaction) -> Result<T>,
    ) -> Result<T> {
        let outcome = match &self.inner.watch {
            Some(watch) => watch.while_available(self.transact(f)).await,
            None => self.transact(f).await,
        };
        match &outcome {
            Ok(_) => self.inner.is_writable.store(true, Ordering::Relaxed),
            Err(error) if error.code() == ErrorCode::Unavailable => {
                self.inner.is_writable.store(false, Ordering::Relaxed);
            }
            Err(_) => {}
        }
        outcome
    }

    async fn transact<T>(
        &self,
        f: impl AsyncFnOnce(&DatabaseTransaction) -> Result<T>,
    ) -> Result<T> {
        let transaction = self.begin().await?;
        match f(&transaction).await {
            Ok(value) => {
                transaction.commit().await?;
                Ok(value)
            }
            Err(error) => {
                if let Err(failed) = transaction.rollback().await {
                    tracing::warn!(error = %failed, "rollback failed");
                }
                Err(error)
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that begins")]
    async fn begin(&self) -> Result<DatabaseTransaction> {
        let options = TransactionOptions {
            // SQLite needs it; PostgreSQL refuses it.
            sqlite_transaction_mode: (self.inner.engine == Engine::Sqlite)
                .then_some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        let _waiting = self.inner.waiting.clone();
        Ok(self.inner.writer.begin_with_options(options).await?)
    }

    /// The database engine of this store.
    pub fn engine(&self) -> Engine {
        self.inner.engine
    }

    /// Verifies that the database responds and accepts writes. On SQLite this takes a write, at
    /// most one per second.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn ping(&self) -> Result<()> {
        let query = self.reader().execute_unprepared("SELECT 1");
        match tokio::time::timeout(PING_TIMEOUT, query).await {
            Ok(outcome) => outcome.map(drop).map_err(Error::unavailable)?,
            Err(late) => return Err(Error::unavailable(late)),
        }
        match &self.inner.watch {
            Some(watch) if watch.is_writable() => Ok(()),
            Some(_) => Err(Error::unavailable("the database is read-only")),
            None => self.inner.write_probe.check(self).await,
        }
    }

    /// Closes the connections; SQLite then checkpoints the write-ahead log into the file.
    pub async fn close(self) {
        for connection in [self.inner.reader.pool(), &self.inner.writer] {
            if let Err(error) = connection.close_by_ref().await {
                tracing::warn!(error = %error, "store did not close cleanly");
            }
        }
    }
}
