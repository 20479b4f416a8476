//! Opens a store: connects, makes schema and migration table if missing, migrates under a lock.
use std::{
    path::Path,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr, SqlxError, Statement,
    sqlx::{
        Connection, PgConnection,
        postgres::PgConnectOptions,
        sqlite::{SqliteJournalMode, SqliteSynchronous},
    },
};
use sea_orm_migration::MigratorTrait;

use super::{
    DatabaseUrl, Durability, Engine, Inner, Reader, Store, figures, statements, watch::Watch,
};
use crate::error::{Error, ErrorCode, Result};

/// How long a new connection may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(1);
/// How long a query queues for a connection: longer than most callers wait.
const READER_QUEUE_LIMIT: Duration = Duration::from_secs(2);
/// How long a transaction queues: writers take turns. That PostgreSQL is away is noticed beside it.
const WRITER_QUEUE_LIMIT: Duration = Duration::from_secs(10);
/// How long SQLite waits for another process's transaction.
const BUSY_LIMIT: Duration = Duration::from_secs(5);
/// How long a connection may take to show that it is still good, which needs neither disk nor locks.
const PING_LIMIT: Duration = Duration::from_millis(300);
/// No statement of a request lives longer than the longest request.
const STATEMENT_LIMIT: Duration = Duration::from_secs(10);
/// How long a start waits for a database that comes up beside it.
const START_LIMIT: Duration = Duration::from_secs(15);
const START_PAUSE: Duration = Duration::from_millis(200);
const SQLITE_READERS: u32 = 4;
/// Of the connection that writes, in KiB (the minus is SQLite's sign for that): indexes over random
/// keys touch a page a row.
const SQLITE_WRITER_CACHE: &str = "-16384";
const POSTGRES_READERS: u32 = 12;
const POSTGRES_WRITERS: u32 = 8;

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Read,
    Write,
    /// Runs migrations, which may take longer than a request.
    Migrate,
}

impl Store {
    /// Opens the store of a service and brings its schema up to date. SQLite files and their
    /// folders are made if missing, as is the PostgreSQL schema named like the service.
    ///
    /// Errors: `Unavailable` when the database does not answer within 15 s; `Internal` when a
    /// migration fails.
    pub async fn open<M: MigratorTrait>(url: &DatabaseUrl, service: &str) -> Result<Store> {
        Store::open_durable::<M>(url, service, Durability::Normal).await
    }

    /// As [`Store::open`], with a promise about commits.
    ///
    /// Errors: as there.
    pub async fn open_durable<M: MigratorTrait>(
        url: &DatabaseUrl,
        service: &str,
        durability: Durability,
    ) -> Result<Store> {
        let started = tokio::time::Instant::now();
        loop {
            match open_once::<M>(url, service, durability).await {
                Err(error)
                    if error.code() == ErrorCode::Unavailable
                        && started.elapsed() < START_LIMIT =>
                {
                    tracing::warn!(service, error = ?error, "store does not answer yet");
                    tokio::time::sleep(START_PAUSE).await;
                }
                outcome => return outcome,
            }
        }
    }
}

async fn open_once<M: MigratorTrait>(
    url: &DatabaseUrl,
    service: &str,
    durability: Durability,
) -> Result<Store> {
    let engine = match url {
        DatabaseUrl::Sqlite(path) => {
            make_folder_of(path)?;
            Engine::Sqlite
        }
        DatabaseUrl::Postgres(_) => Engine::Postgres,
    };
    let connect = async |role| connect(url, service, durability, role).await;

    let migrator = connect(Role::Migrate).await?;
    let waiting = AtomicU64::default();
    let (reader, writer) = (Reader::new(migrator.clone(), None), migrator.clone());
    let inner = Inner { engine, reader, writer, watch: None, waiting };
    migrate::<M>(&Store { inner: Arc::new(inner) }, service).await?;
    migrator.close().await?;

    let watch = match url {
        DatabaseUrl::Sqlite(_) => None,
        DatabaseUrl::Postgres(url) => {
            let server = url.parse::<PgConnectOptions>().map_err(Error::internal)?;
            let started = Watch::start(server.application_name(&application(service)));
            let started = tokio::time::timeout(CONNECT_LIMIT, started).await;
            Some(started.map_err(Error::unavailable)?.map_err(Error::unavailable)?)
        }
    };
    let (writer, reader) = (connect(Role::Write).await?, connect(Role::Read).await?);
    let reader = Reader::new(reader, watch.clone());
    let inner = Arc::new(Inner { engine, reader, writer, watch, waiting: AtomicU64::default() });
    figures::show(&inner, service);
    Ok(Store { inner })
}

fn make_folder_of(path: &Path) -> Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => std::fs::create_dir_all(folder)
            .map_err(|error| Error::internal(format!("{}: {error}", folder.display()))),
        None => Ok(()),
    }
}

async fn migrate<M: MigratorTrait>(store: &Store, service: &str) -> Result<()> {
    let pending = M::get_pending_migrations_read_only(store.reader()).await?;
    if pending.is_empty() {
        return Ok(());
    }
    let service = service.to_owned();
    // One transaction for all: on SQLite its write lock, on PostgreSQL the advisory lock keeps
    // replicas and imports that start together apart.
    store
        .write(async |tx| {
            if tx.get_database_backend() == sea_orm::DbBackend::Postgres {
                let key = format!("sahm.migrate.{service}");
                let lock = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
                tx.execute_raw(statement(tx, lock, [key.into()])).await?;
                let known = "SELECT 1 FROM pg_namespace WHERE nspname = $1";
                let known = statement(tx, known, [service.clone().into()]);
                // Asked first: the schema may have been made by somebody with more rights.
                if tx.query_one_raw(known).await?.is_none() {
                    tx.execute_unprepared(&format!("CREATE SCHEMA \"{service}\"")).await?;
                }
            }
            M::up(tx, None).await?;
            Ok(())
        })
        .await?;
    tracing::info!(count = pending.len(), "migrated");
    Ok(())
}

fn statement<C: ConnectionTrait, const N: usize>(
    connection: &C,
    sql: &str,
    values: [sea_orm::Value; N],
) -> Statement {
    Statement::from_sql_and_values(connection.get_database_backend(), sql, values)
}

#[expect(clippy::disallowed_methods, reason = "the one place that connects")]
async fn connect(
    url: &DatabaseUrl,
    service: &str,
    durability: Durability,
    role: Role,
) -> Result<DatabaseConnection, DbErr> {
    let options = match url {
        DatabaseUrl::Sqlite(path) => sqlite(path, durability, role),
        DatabaseUrl::Postgres(url) => postgres(url, service, role),
    };
    let mut connection = Database::connect(options).await?;
    if matches!(role, Role::Read | Role::Write) {
        let engine = match url {
            DatabaseUrl::Sqlite(_) => Engine::Sqlite,
            DatabaseUrl::Postgres(_) => Engine::Postgres,
        };
        statements::follow(&mut connection, engine, service);
    }
    Ok(connection)
}

fn sqlite(path: &Path, durability: Durability, role: Role) -> ConnectOptions {
    let mut options = ConnectOptions::new("sqlite:");
    let readers = if role == Role::Read { SQLITE_READERS } else { 1 };
    options
        .max_connections(readers)
        .min_connections(1)
        .acquire_timeout(WRITER_QUEUE_LIMIT)
        .test_before_acquire(false)
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .sqlx_logging(false);
    let path = path.to_owned();
    options.map_sqlx_sqlite_opts(move |given| {
        let synchronous = match durability {
            Durability::Normal => SqliteSynchronous::Normal,
            Durability::Full => SqliteSynchronous::Full,
        };
        let given = given
            .filename(&path)
            .create_if_missing(role != Role::Read)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(synchronous)
            .foreign_keys(true)
            .busy_timeout(BUSY_LIMIT)
            // What a statement of many rows could have to undo is kept in memory, not in a file.
            .pragma("temp_store", "MEMORY");
        match role {
            Role::Read => given.pragma("query_only", "ON"),
            Role::Write => given.pragma("cache_size", SQLITE_WRITER_CACHE),
            Role::Migrate => given,
        }
    });
    options
}

/// What PostgreSQL's views of activity call us.
fn application(service: &str) -> String {
    format!("sahm-{service}")
}

fn postgres(url: &str, service: &str, role: Role) -> ConnectOptions {
    // SeaORM knows one spelling of the two that PostgreSQL allows.
    let url = match url.strip_prefix("postgresql://") {
        Some(rest) => format!("postgres://{rest}"),
        None => url.to_owned(),
    };
    let mut options = ConnectOptions::new(url);
    let (least, most, queue) = match role {
        Role::Read => (1, POSTGRES_READERS, READER_QUEUE_LIMIT),
        Role::Write => (1, POSTGRES_WRITERS, WRITER_QUEUE_LIMIT),
        Role::Migrate => (1, 1, CONNECT_LIMIT),
    };
    options
        .min_connections(least)
        .max_connections(most)
        .acquire_timeout(queue)
        .test_before_acquire(false)
        .set_application_name(application(service))
        .set_schema_search_path(service)
        .sqlx_logging(false);
    options.map_sqlx_postgres_opts(move |given| {
        let mut set = Vec::new();
        if role == Role::Read {
            set.push(("default_transaction_read_only", "on".to_owned()));
        }
        if role != Role::Migrate {
            set.push(("statement_timeout", STATEMENT_LIMIT.as_millis().to_string()));
        }
        given.options(set)
    });
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.before_acquire(|connection, _| Box::pin(answers(connection)))
            .after_release(|connection, _| Box::pin(answers(connection)))
    });
    options
}

/// Whether a connection is still good; the pool itself would wait for that without end, and keep
/// the place of one that hangs.
///
/// Errors: it is not; the pool then drops it.
async fn answers(connection: &mut PgConnection) -> Result<bool, SqlxError> {
    match tokio::time::timeout(PING_LIMIT, connection.ping()).await {
        Ok(answer) => answer.map(|()| true),
        Err(late) => Err(SqlxError::Io(late.into())),
    }
}
