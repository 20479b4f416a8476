//! Opens a store: connects, creates a missing schema and migration table, and migrates under a
//! lock.
use std::{
    fs::OpenOptions, io, os::unix::fs::OpenOptionsExt, path::Path, sync::Arc, time::Duration,
};

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, SqlxError,
    Statement,
    sqlx::{
        Connection, PgConnection,
        postgres::PgConnectOptions,
        sqlite::{SqliteJournalMode, SqliteSynchronous},
    },
};
use tokio::time::error::Elapsed;

use super::{
    DatabaseUrl, Engine, Inner, Reader, SqlMigration, Store, health_probe::Watch, metrics,
    migrations::migrate, query_tracing,
};
use crate::error::{Error, ErrorCode, Result, with_causes};

/// Timeout of a new connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a query waits for a pooled connection: longer than most callers wait.
const READER_QUEUE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a transaction waits for a connection, because writers take turns. The health probe
/// detects an unavailable PostgreSQL sooner.
pub(super) const WRITER_QUEUE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long SQLite waits for a transaction of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of the check that a pooled connection works, which needs neither disk nor locks.
const PING_TIMEOUT: Duration = Duration::from_millis(300);
/// A connection released less than this ago skips the check: it was checked then, and each check
/// costs a round trip.
const PING_AFTER_IDLE: Duration = Duration::from_millis(100);
/// Statement timeout: the longest timeout of a request.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(10);
/// Startup waits this long for a database that starts at the same time.
const START_TIMEOUT: Duration = Duration::from_secs(15);
const START_RETRY_DELAY: Duration = Duration::from_millis(200);
const SQLITE_READERS: u32 = 4;
/// Page cache of the writing connection in KiB (SQLite expects a minus sign for this unit): indexes
/// over random keys touch one page per row.
const SQLITE_WRITER_CACHE: &str = "-16384";
const POSTGRES_READERS: u32 = 12;
const POSTGRES_WRITERS: u32 = 8;

/// The purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Read,
    Write,
    /// Runs migrations, which may take longer than a request.
    Migrate,
}

impl Store {
    /// Opens a service's store and migrates its schema. Creates the SQLite file and its folders, or
    /// the PostgreSQL schema with the service's name, if missing.
    ///
    /// # Errors
    /// `Unavailable` if the database does not respond within 15 s; `Internal` if a migration fails.
    pub async fn open(
        url: &DatabaseUrl,
        service: &str,
        migrations: &[SqlMigration],
    ) -> Result<Store> {
        let started = tokio::time::Instant::now();
        loop {
            match open_once(url, service, migrations).await {
                Err(error)
                    if error.code() == ErrorCode::Unavailable
                        && started.elapsed() < START_TIMEOUT =>
                {
                    tracing::warn!(service, error = ?error, "store does not respond yet");
                    tokio::time::sleep(START_RETRY_DELAY).await;
                }
                outcome => return outcome,
            }
        }
    }
}

async fn open_once(url: &DatabaseUrl, service: &str, migrations: &[SqlMigration]) -> Result<Store> {
    let (engine, watch) = match url {
        DatabaseUrl::Sqlite(path) => {
            make_file(path)?;
            (Engine::Sqlite, None)
        }
        DatabaseUrl::Postgres(url) => (Engine::Postgres, Some(watch(url, service).await?)),
    };
    let connect = async |role| connect(url, engine, service, role).await;

    let migrator = connect(Role::Migrate).await?;
    if engine == Engine::Postgres {
        verify_parameter(&migrator, "search_path", service).await?;
    }
    let (reader, writer) = (Reader::new(migrator.clone(), None), migrator.clone());
    let inner = Inner::new(engine, reader, writer, None);
    migrate(&Store { inner: Arc::new(inner) }, service, migrations).await?;
    migrator.close().await?;

    let (writer, reader) = (connect(Role::Write).await?, connect(Role::Read).await?);
    if engine == Engine::Postgres {
        let limit = format!("{}s", STATEMENT_TIMEOUT.as_secs());
        verify_parameter(&writer, "statement_timeout", &limit).await?;
    }
    let inner = Arc::new(Inner::new(engine, Reader::new(reader, watch.clone()), writer, watch));
    metrics::register_metrics(&inner, service);
    Ok(Store { inner })
}

/// Connects outside the pools first, because a pool reports only its own timeout and not the error
/// of the server or the network.
async fn watch(url: &str, service: &str) -> Result<Watch> {
    let server = url.parse::<PgConnectOptions>().map_err(Error::internal)?;
    let server = server.extra_float_digits(None);
    let address = format!("{}:{}", server.get_host(), server.get_port());
    let started = Watch::start(server.application_name(&application_name(service)));
    match tokio::time::timeout(CONNECT_TIMEOUT, started).await {
        Ok(Ok(watch)) => Ok(watch),
        Ok(Err(error)) => {
            let message = format!("{address}: {}", with_causes(&error));
            Err(match is_tls_failure(&error) {
                // Retrying does not help against a wrong certificate or TLS mode.
                true => Error::internal(message),
                false => Error::unavailable(message),
            })
        }
        Err(_) => Err(Error::unavailable(format!("{address}: no answer in {CONNECT_TIMEOUT:?}"))),
    }
}

fn is_tls_failure(error: &SqlxError) -> bool {
    match error {
        SqlxError::Tls(_) | SqlxError::Configuration(_) => true,
        // The handshake's error.
        SqlxError::Io(error) => error.get_ref().is_some_and(|cause| cause.is::<rustls::Error>()),
        _ => false,
    }
}

/// Verifies a session parameter: a pooler may drop the parameters of a new connection, and then the
/// role must have them.
///
/// # Errors
/// `Internal`: the parameter has another value.
async fn verify_parameter(connection: &DatabaseConnection, name: &str, wanted: &str) -> Result<()> {
    let query = "SELECT current_setting($1) AS value";
    let query = Statement::from_sql_and_values(DbBackend::Postgres, query, [name.into()]);
    let row = connection.query_one_raw(query).await?;
    let value: String = row.map_or(Ok(String::new()), |row| row.try_get("", "value"))?;
    if value == wanted {
        return Ok(());
    }
    Err(Error::internal(format!(
        "{name} is {value:?} instead of {wanted:?}: behind a pooler the role needs it, \
         ALTER ROLE … SET {name} = '{wanted}' (docs/operations/databases.md#pgbouncer)"
    )))
}

/// Creates the file and its folders if missing. Only the owner may read members' data; SQLite gives
/// its other files the same mode.
fn make_file(path: &Path) -> Result<()> {
    let failed = |error| Error::internal(format!("{}: {error}", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(error)),
        _ => Ok(()),
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that connects")]
async fn connect(
    url: &DatabaseUrl,
    engine: Engine,
    service: &str,
    role: Role,
) -> Result<DatabaseConnection, DbErr> {
    let options = match url {
        DatabaseUrl::Sqlite(path) => sqlite(path, role),
        DatabaseUrl::Postgres(url) => postgres(url, service, role),
    };
    let mut connection = Database::connect(options).await?;
    if matches!(role, Role::Read | Role::Write) {
        query_tracing::trace_queries(&mut connection, engine, service);
    }
    Ok(connection)
}

fn sqlite(path: &Path, role: Role) -> ConnectOptions {
    let mut options = ConnectOptions::new("sqlite:");
    let readers = if role == Role::Read { SQLITE_READERS } else { 1 };
    options
        .max_connections(readers)
        .min_connections(1)
        .acquire_timeout(WRITER_QUEUE_TIMEOUT)
        .test_before_acquire(false)
        .idle_timeout(None::<Duration>)
        .max_lifetime(None::<Duration>)
        .sqlx_logging(false);
    let path = path.to_owned();
    options.map_sqlx_sqlite_opts(move |given| {
        let given = given
            .filename(&path)
            .journal_mode(SqliteJournalMode::Wal)
            // An acknowledged write survives a power failure.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            // SQLite keeps statement journals in memory instead of in temporary files.
            .pragma("temp_store", "MEMORY");
        match role {
            Role::Read => given.pragma("query_only", "ON"),
            Role::Write => given.pragma("cache_size", SQLITE_WRITER_CACHE),
            Role::Migrate => given,
        }
    });
    options.map_sqlx_sqlite_pool_opts(|pool| {
        pool.after_release(|connection, _| {
            Box::pin(async move {
                // After the ping the driver's worker has rolled back a transaction that was
                // dropped.
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        })
    });
    options
}

/// `application_name`, as `pg_stat_activity` shows it.
fn application_name(service: &str) -> String {
    format!("sahm-{service}")
}

fn postgres(url: &str, service: &str, role: Role) -> ConnectOptions {
    // PostgreSQL accepts two spellings of the scheme, SeaORM only one.
    let url = match url.strip_prefix("postgresql://") {
        Some(rest) => format!("postgres://{rest}"),
        None => url.to_owned(),
    };
    let mut options = ConnectOptions::new(url);
    let (least, most, queue) = match role {
        Role::Read => (1, POSTGRES_READERS, READER_QUEUE_TIMEOUT),
        Role::Write => (1, POSTGRES_WRITERS, WRITER_QUEUE_TIMEOUT),
        Role::Migrate => (1, 1, CONNECT_TIMEOUT),
    };
    options
        .min_connections(least)
        .max_connections(most)
        .acquire_timeout(queue)
        .test_before_acquire(false)
        .set_application_name(application_name(service))
        .sqlx_logging(false);
    let schema = service.to_owned();
    options.map_sqlx_postgres_opts(move |given| {
        let mut set = vec![("search_path", schema.clone())];
        if role == Role::Read {
            set.push(("default_transaction_read_only", "on".to_owned()));
        }
        if role != Role::Migrate {
            set.push(("statement_timeout", STATEMENT_TIMEOUT.as_millis().to_string()));
        }
        // A pooler rejects this parameter, and servers since PostgreSQL 12 need no other value.
        given.options(set).extra_float_digits(None)
    });
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.before_acquire(|connection, metadata| {
            Box::pin(async move {
                if metadata.idle_for >= PING_AFTER_IDLE {
                    ping(connection).await?;
                }
                Ok(true)
            })
        })
        .after_release(|connection, _| {
            Box::pin(async move {
                ping(connection).await?;
                Ok(!connection.is_in_transaction())
            })
        })
    });
    options
}

/// Checks that a connection still works. The pool's own check has no timeout, so that a connection
/// that hangs would stay in the pool.
///
/// # Errors
/// The connection does not work; the pool then drops it.
async fn ping(connection: &mut PgConnection) -> Result<(), SqlxError> {
    let late = |late: Elapsed| SqlxError::Io(late.into());
    tokio::time::timeout(PING_TIMEOUT, connection.ping()).await.map_err(late)?
}
