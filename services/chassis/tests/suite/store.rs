//! Tests of the store on both engines.
mod lost_writes;
mod pgbouncer;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use crate::log::CapturedLog;
use sahm_chassis::{
    Error, ErrorCode, Result,
    store::{DatabaseUrl, Engine, SqlMigration, Store, upsert},
    telemetry,
};
use sahm_testkit::{Certificates, Postgres, SmallDisk};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryOrder, Statement};

const CREATE_COUNTER: SqlMigration = SqlMigration::new(
    "counter_001_create",
    "CREATE TABLE counter (id integer NOT NULL PRIMARY KEY, count bigint NOT NULL); \
     INSERT INTO counter (id, count) VALUES (1, 0)",
);
const ADD_COLUMN: SqlMigration =
    SqlMigration::new("counter_002_note", "ALTER TABLE counter ADD COLUMN note TEXT");

struct Fixture {
    url: DatabaseUrl,
    _folder: tempfile::TempDir,
}

impl Fixture {
    async fn sqlite() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        Fixture { url: DatabaseUrl::file(folder.path().join("deep/er/s.sqlite")), _folder: folder }
    }

    async fn postgres() -> Fixture {
        let url = Postgres::shared().await.unwrap().database().await.unwrap();
        Fixture { url: url.parse().unwrap(), _folder: tempfile::tempdir().unwrap() }
    }

    async fn open(&self) -> Store {
        Store::open(&self.url, "content", &[CREATE_COUNTER]).await.unwrap()
    }
}

macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(super::Fixture::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(super::Fixture::postgres().await).await;
            })*
        }
    };
}

on_both_engines!(
    concurrent_and_later_opens_migrate_once,
    four_hundred_concurrent_writers_all_commit,
    error_or_drop_rolls_back,
    readers_cannot_write,
    services_share_a_database_in_separate_schemas,
    write_future_is_send,
    metrics_show_connections,
    statements_are_counted_by_operation,
    rows_are_inserted_or_replaced_by_primary_key,
    schema_of_a_later_release_is_accepted,
);

async fn count(store: &Store) -> i64 {
    read_count(store).await.unwrap()
}

async fn read_count(store: &Store) -> std::result::Result<i64, DbErr> {
    let sql = Statement::from_string(
        store.reader().get_database_backend(),
        "SELECT count FROM counter WHERE id = 1",
    );
    store.reader().query_one_raw(sql).await?.unwrap().try_get("", "count")
}

/// Reads before it writes, which fails in a deferred transaction.
async fn add_one(store: &Store) -> Result<()> {
    store
        .write(async |tx| {
            let read = if store.engine() == Engine::Postgres {
                "SELECT count FROM counter WHERE id = 1 FOR UPDATE"
            } else {
                "SELECT count FROM counter WHERE id = 1"
            };
            let sql = Statement::from_string(tx.get_database_backend(), read);
            let row = tx.query_one_raw(sql).await?;
            let row = row.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
            let count: i64 = row.try_get("", "count")?;
            let update = format!("UPDATE counter SET count = {} WHERE id = 1", count + 1);
            tx.execute_unprepared(&update).await?;
            Ok(())
        })
        .await
}

async fn concurrent_and_later_opens_migrate_once(fixture: Fixture) {
    let opened = futures_util::future::join_all((0..6).map(|_| fixture.open())).await;
    add_one(&opened[0]).await.unwrap();
    assert_eq!(count(&fixture.open().await).await, 1);
    for store in opened {
        store.ping().await.unwrap();
        store.close().await;
    }
}

async fn four_hundred_concurrent_writers_all_commit(fixture: Fixture) {
    // Like two processes: an import and the service.
    let stores = [fixture.open().await, fixture.open().await];
    let writers = (0..400).map(|number| {
        let store = stores[number % 2].clone();
        tokio::spawn(async move { add_one(&store).await })
    });
    let outcomes = futures_util::future::join_all(writers).await;
    let failed: Vec<_> = outcomes.into_iter().filter_map(|o| o.unwrap().err()).collect();
    assert!(failed.is_empty(), "{} failed, the first: {:?}", failed.len(), failed[0]);
    assert_eq!(count(&stores[0]).await, 400);
}

async fn error_or_drop_rolls_back(fixture: Fixture) {
    let store = fixture.open().await;
    let sql = "UPDATE counter SET count = 77";
    let refused: Result<()> = store
        .write(async |tx| {
            tx.execute_unprepared(sql).await?;
            Err(Error::field("size", "too large"))
        })
        .await;
    assert_eq!(refused.unwrap_err().fields()[0].field, "size");
    let dropped = store.write(async |tx| {
        tx.execute_unprepared(sql).await?;
        std::future::pending::<Result<()>>().await
    });
    assert!(tokio::time::timeout(Duration::from_millis(50), dropped).await.is_err());
    assert_eq!(count(&store).await, 0);
    // The dropped transaction holds no lock.
    add_one(&store).await.unwrap();
    assert_eq!(count(&store).await, 1);
    let broken = store.write(async |tx| Ok(tx.execute_unprepared("NOT SQL").await?)).await;
    assert_eq!(broken.unwrap_err().code(), ErrorCode::Internal);
}

async fn readers_cannot_write(fixture: Fixture) {
    let store = fixture.open().await;
    assert!(store.reader().execute_unprepared("UPDATE counter SET count = 5").await.is_err());
    assert_eq!(count(&store).await, 0);
}

async fn services_share_a_database_in_separate_schemas(fixture: Fixture) {
    let store = fixture.open().await;
    add_one(&store).await.unwrap();
    if store.engine() == Engine::Postgres {
        let name = query(&store, "SELECT current_setting('application_name') AS v").await;
        assert_eq!(name, "sahm-content");
        let other = Store::open(&fixture.url, "config", &[CREATE_COUNTER]).await.unwrap();
        assert_eq!(count(&other).await, 0);
    }
    assert_eq!(count(&store).await, 1);
}

/// The future of a write is `Send`, even with borrowed values, as tonic's handlers require.
async fn write_future_is_send(fixture: Fixture) {
    let store = fixture.open().await;
    let added = tokio::spawn(async move {
        let by = String::from("3");
        let added = store
            .write(async |tx| {
                tx.execute_unprepared(&format!("UPDATE counter SET count = {by}")).await?;
                Ok(by.len())
            })
            .await;
        (added.unwrap(), count(&store).await)
    });
    assert_eq!(added.await.unwrap(), (1, 3));
}

#[tokio::test]
async fn sqlite_pragmas_are_set() {
    let fixture = Fixture::sqlite().await;
    let store = fixture.open().await;
    // 2 is FULL: a commit is synced to disk.
    for (name, value) in [("journal_mode", "wal"), ("foreign_keys", "1"), ("synchronous", "2")] {
        let sql = format!("SELECT CAST({name} AS TEXT) AS v FROM pragma_{name}");
        let found = store
            .write(async |tx| {
                let sql = Statement::from_string(tx.get_database_backend(), sql);
                Ok(tx.query_one_raw(sql).await?.unwrap().try_get::<String>("", "v")?)
            })
            .await;
        assert_eq!(found.unwrap(), value, "{name}");
    }
}

async fn query(store: &Store, sql: &str) -> String {
    let sql = Statement::from_string(store.reader().get_database_backend(), sql);
    store.reader().query_one_raw(sql).await.unwrap().unwrap().try_get("", "v").unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unreachable_database_fails_calls_immediately() {
    let mut cluster = Postgres::start().await.unwrap();
    let url = cluster.database().await.unwrap().parse().unwrap();
    let store = Store::open(&url, "content", &[CREATE_COUNTER]).await.unwrap();
    add_one(&store).await.unwrap();
    cluster.kill();
    // The probe detects the failure within a second; until then a call may wait that long.
    let noticed = Instant::now();
    while store.ping().await.is_ok() {
        assert!(noticed.elapsed() < Duration::from_secs(5));
    }
    let max_duration = Duration::from_millis(50);
    let call_duration = async || {
        let started = Instant::now();
        assert_eq!(store.ping().await.unwrap_err().code(), ErrorCode::Unavailable);
        assert_eq!(add_one(&store).await.unwrap_err().code(), ErrorCode::Unavailable);
        started.elapsed()
    };
    while call_duration().await > max_duration {
        assert!(
            noticed.elapsed() < Duration::from_secs(5),
            "calls wait for a database that is away"
        );
    }
    for _ in 0..20 {
        let took = call_duration().await;
        assert!(took < max_duration, "{took:?}");
    }
    cluster.restart().await.unwrap();
    add_one_when_available(&store).await;
    assert_eq!(count(&store).await, 2);
}

/// Retries until the database is available again.
async fn add_one_when_available(store: &Store) {
    let back = Instant::now();
    while let Err(error) = add_one(store).await {
        assert_eq!(error.code(), ErrorCode::Unavailable, "{error:?}");
        assert!(back.elapsed() < Duration::from_secs(5), "{error:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The probe detects a server that hangs within its interval and timeout; the rest allows for a
/// busy machine.
const HANG_DETECTION_TIMEOUT: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_database_fails_waiting_calls() {
    let cluster = Postgres::start().await.unwrap();
    let url = cluster.database().await.unwrap().parse().unwrap();
    let store = Store::open(&url, "content", &[CREATE_COUNTER]).await.unwrap();
    add_one(&store).await.unwrap();
    let began = Instant::now();
    let in_the_middle = store.write(async |tx| {
        tx.execute_unprepared("UPDATE counter SET count = 77").await?;
        cluster.pause();
        tx.execute_unprepared("UPDATE counter SET count = 78").await?;
        Ok(())
    });
    assert_eq!(in_the_middle.await.unwrap_err().code(), ErrorCode::Unavailable);
    assert!(began.elapsed() < HANG_DETECTION_TIMEOUT, "{:?}", began.elapsed());
    for _ in 0..20 {
        let started = Instant::now();
        assert_eq!(store.ping().await.unwrap_err().code(), ErrorCode::Unavailable);
        let read = Error::from(read_count(&store).await.unwrap_err());
        assert_eq!(read.code(), ErrorCode::Unavailable);
        assert_eq!(add_one(&store).await.unwrap_err().code(), ErrorCode::Unavailable);
        assert!(started.elapsed() < Duration::from_millis(50), "{:?}", started.elapsed());
    }
    cluster.resume();
    add_one_when_available(&store).await;
    assert_eq!(count(&store).await, 2);
    // A query that is in progress when the server hangs.
    let began = Instant::now();
    let wait = "SELECT count, CAST(pg_sleep(20) AS TEXT) FROM counter";
    let sql = Statement::from_string(store.reader().get_database_backend(), wait);
    let (read, ()) = tokio::join!(store.reader().query_one_raw(sql), async { cluster.pause() });
    assert_eq!(Error::from(read.unwrap_err()).code(), ErrorCode::Unavailable);
    assert!(began.elapsed() < HANG_DETECTION_TIMEOUT, "{:?}", began.elapsed());
}

fn figure(name: &str, labels: &str) -> Option<u64> {
    let line = format!("{name}{{{labels}}} ");
    let text = telemetry::prometheus_text();
    text.lines().find_map(|known| known.strip_prefix(&line)?.parse().ok())
}

async fn until(holds: impl Fn() -> bool) -> Result<()> {
    let waited = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), waited).await.map_err(Error::internal)
}

async fn metrics_show_connections(fixture: Fixture) {
    let name = match fixture.url {
        DatabaseUrl::Sqlite(_) => "seen_file",
        DatabaseUrl::Postgres(_) => "seen_server",
    };
    let store = Store::open(&fixture.url, name, &[CREATE_COUNTER]).await.unwrap();
    let pool = format!("db_client_connection_pool_name=\"{name}.write\"");
    let used = || {
        let labels = format!("{pool},db_client_connection_state=\"used\"");
        figure("db_client_connection_count", &labels)
    };
    assert_eq!(figure("store_up", &format!("service=\"{name}\"")), Some(1));
    // The startup's connection returns to the pool concurrently.
    until(|| used() == Some(0)).await.unwrap();
    let most = figure("db_client_connection_max", &pool).unwrap();
    let waiting = || figure("db_client_connection_pending_requests", &pool);
    let has_filled = AtomicBool::new(false);
    let all_there_are = futures_util::future::join_all((0..most).map(|_| {
        store.write(async |_| {
            let is_full = || used() == Some(most) && waiting() == Some(1);
            until(|| {
                has_filled.fetch_or(is_full(), Ordering::SeqCst)
                    || has_filled.load(Ordering::SeqCst)
            })
            .await
        })
    }));
    let one_too_many = async {
        until(|| used() == Some(most)).await?;
        store.write(async |_| Ok(())).await
    };
    let (outcomes, waited) = tokio::join!(all_there_are, one_too_many);
    assert!(outcomes.iter().all(Result::is_ok));
    waited.unwrap();
    assert_eq!(waiting(), Some(0));
    // An error of the caller does not make the database unavailable.
    let refused: Result<()> = store.write(async |_| Err(Error::of(ErrorCode::Conflict))).await;
    assert_eq!(refused.unwrap_err().code(), ErrorCode::Conflict);
    assert_eq!(figure("store_up", &format!("service=\"{name}\"")), Some(1));
    store.close().await;
    assert_eq!(used(), None);
}

async fn statements_are_counted_by_operation(fixture: Fixture) {
    let (name, system) = match fixture.url {
        DatabaseUrl::Sqlite(_) => ("counted_file", "sqlite"),
        DatabaseUrl::Postgres(_) => ("counted_server", "postgresql"),
    };
    let store = Store::open(&fixture.url, name, &[CREATE_COUNTER]).await.unwrap();
    let update = async |table: &str| {
        let sql = format!("UPDATE {table} SET count = 1");
        let sql = Statement::from_string(store.reader().get_database_backend(), sql);
        store.write(async |tx| Ok(tx.execute_raw(sql).await?)).await
    };
    update("counter").await.unwrap();
    update("missing").await.unwrap_err();
    for error in ["", ",error_type=\"_OTHER\""] {
        let labels = format!(
            "db_namespace=\"{name}\",db_operation_name=\"UPDATE\",db_system_name=\"{system}\"{error}"
        );
        let count = figure("db_client_operation_duration_seconds_count", &labels);
        assert_eq!(count, Some(1), "{labels}");
    }
}

mod counter {
    #![allow(unreachable_pub)]
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "counter")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub count: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

async fn rows_are_inserted_or_replaced_by_primary_key(fixture: Fixture) {
    let store = fixture.open().await;
    // The migration has inserted a row with the key 1.
    let rows = [counter::Model { id: 1, count: 5 }, counter::Model { id: 2, count: 7 }];
    let active = rows.clone().map(counter::Model::into_active_model);
    store.write(async |tx| upsert(tx, active).await).await.unwrap();
    let stored = counter::Entity::find().order_by_asc(counter::Column::Id);
    assert_eq!(stored.all(store.reader()).await.unwrap(), rows);
}

async fn schema_of_a_later_release_is_accepted(fixture: Fixture) {
    let log = CapturedLog::start();
    let later = Store::open(&fixture.url, "content", &[CREATE_COUNTER, ADD_COLUMN]).await.unwrap();
    add_one(&later).await.unwrap();
    let warning = "the schema is that of a later release";
    let lines = log.take();
    assert!(!lines.contains(warning), "{lines}");
    // The previous release starts during the later one, and again after it has stopped.
    let store = fixture.open().await;
    let lines = log.take();
    assert!(lines.contains(warning) && lines.contains("counter_002_note"), "{lines}");
    add_one(&store).await.unwrap();
    later.close().await;
    assert_eq!(count(&fixture.open().await).await, 2);
    let sql = "SELECT CAST(count(*) AS TEXT) AS v FROM seaql_migrations";
    assert_eq!(query(&store, sql).await, "2");
}

/// Missing migrations are applied even if the schema has unknown ones.
#[tokio::test]
async fn missing_migration_is_applied_beside_an_unknown_one() {
    let fixture = Fixture::sqlite().await;
    fixture.open().await.close().await;
    let store = Store::open(&fixture.url, "content", &[ADD_COLUMN]).await.unwrap();
    assert_eq!(query(&store, "SELECT CAST(count(note) AS TEXT) AS v FROM counter").await, "0");
}

#[tokio::test]
async fn refused_connection_is_reported_with_its_address() {
    let port = sahm_testkit::free_port().unwrap();
    let url: DatabaseUrl = format!("postgres://nobody@127.0.0.1:{port}/none").parse().unwrap();
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    let error = Store::open(&url, "content", &[CREATE_COUNTER]).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unavailable);
    assert!(began.elapsed() >= Duration::from_secs(15), "a database may start at the same time");
    let message = error.log_source().unwrap();
    assert!(message.contains(&format!("127.0.0.1:{port}")), "{message}");
    assert!(message.to_lowercase().contains("connection refused"), "{message}");
}

/// Neither becomes right while the process waits.
#[tokio::test]
async fn unusable_url_is_reported_without_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let without_tls = Postgres::shared().await.unwrap().database().await.unwrap();
    let long = "s".repeat(300);
    let cases = [
        (DatabaseUrl::file(file.join("s.sqlite")), file.to_str().unwrap()),
        (DatabaseUrl::file(folder.path().join(&long)), &*long),
        (format!("{without_tls}?sslmode=require").parse().unwrap(), "TLS"),
    ];
    for (url, cause) in cases {
        let error = Store::open(&url, "content", &[CREATE_COUNTER]).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Internal, "{error:?}");
        assert!(error.log_source().unwrap().contains(cause), "{error:?}");
    }
}

#[tokio::test]
async fn sqlite_store_is_unready_once_probes_have_waited_as_long_as_transactions_may_queue() {
    let fixture = Fixture::sqlite().await;
    let store = fixture.open().await;
    store.ping().await.unwrap();
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (end, has_ended) = tokio::sync::oneshot::channel::<()>();
    let writer = store.clone();
    let long = tokio::spawn(async move {
        let transaction = async |_: &_| {
            begun.send(()).unwrap();
            has_ended.await.map_err(Error::internal)
        };
        writer.write(transaction).await
    });
    has_begun.await.unwrap();
    advance(Duration::from_secs(10)).await;
    store.ping().await.unwrap();
    advance(Duration::from_secs(10)).await;
    let error = store.ping().await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unavailable);
    let cause = "other transactions hold the write lock";
    assert_eq!(error.log_source().as_deref(), Some(cause));
    end.send(()).unwrap();
    long.await.unwrap().unwrap();
    advance(Duration::from_secs(1)).await;
    store.ping().await.unwrap();
}

/// Advances the clock, which then continues.
async fn advance(by: Duration) {
    tokio::time::pause();
    tokio::time::advance(by).await;
    tokio::time::resume();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pooled_connection_is_used_again_while_it_works() {
    const NAME: &str = "pooled";
    /// Longer than a connection may be idle without a check.
    const IDLE: Duration = Duration::from_millis(120);
    let fixture = Fixture::postgres().await;
    let store = Store::open(&fixture.url, NAME, &[CREATE_COUNTER]).await.unwrap();
    let labels = format!(
        "db_client_connection_pool_name=\"{NAME}.read\",db_client_connection_state=\"used\""
    );
    let backend = async || {
        let backend = query(&store, "SELECT CAST(pg_backend_pid() AS TEXT) AS v").await;
        until(|| figure("db_client_connection_count", &labels) == Some(0)).await.unwrap();
        tokio::time::sleep(IDLE).await;
        backend
    };
    let first = backend().await;
    assert_eq!(backend().await, first);
    let terminate = format!("SELECT pg_terminate_backend({first})");
    store.write(async |tx| Ok(tx.execute_unprepared(&terminate).await?)).await.unwrap();
    assert_ne!(backend().await, first);
}

#[tokio::test]
async fn sqlite_files_are_readable_by_their_owner_only_and_merged_by_close() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::sqlite().await;
    let store = fixture.open().await;
    add_one(&store).await.unwrap();
    let DatabaseUrl::Sqlite(path) = &fixture.url else { panic!("no file") };
    let files = || path.parent().unwrap().read_dir().unwrap().map(std::result::Result::unwrap);
    for file in files() {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
    assert_eq!(files().count(), 3, "the database, its log and its index");
    let clone = store.clone();
    store.close().await;
    assert_eq!(Vec::from_iter(files().map(|file| file.path())), [path.as_path()]);
    assert_eq!(clone.ping().await.unwrap_err().code(), ErrorCode::Unavailable);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_certificate_is_verified_over_tls() {
    let certificates = Certificates::make().unwrap();
    let cluster = Postgres::start_tls(&certificates).await.unwrap();
    let database = cluster.database().await.unwrap();
    // The certificate names 127.0.0.1 and not this address.
    let misnamed = database.replace("127.0.0.1", "127.0.0.2");
    let trusted = certificates.authority();
    let other = Certificates::make().unwrap();
    let untrusted = other.authority();
    struct Case<'a> {
        mode: &'a str,
        database: &'a str,
        authority: &'a std::path::Path,
        failure: Option<&'a str>,
    }
    let usual = Case { mode: "", database: &database, authority: &trusted, failure: None };
    let unknown = Some("certificate");
    let cases = [
        Case { mode: "require", ..usual },
        Case { mode: "verify-ca", ..usual },
        Case { mode: "verify-full", ..usual },
        Case { mode: "verify-ca", authority: &untrusted, failure: unknown, ..usual },
        Case { mode: "verify-full", authority: &untrusted, failure: unknown, ..usual },
        Case { mode: "verify-ca", database: &misnamed, ..usual },
        Case {
            mode: "verify-full",
            database: &misnamed,
            failure: Some("certificate not valid for name"),
            ..usual
        },
    ];
    for Case { mode, database, authority, failure } in cases {
        let url = format!("{database}?sslmode={mode}&sslrootcert={}", authority.display());
        let opened = Store::open(&url.parse().unwrap(), "content", &[CREATE_COUNTER]).await;
        match (opened, failure) {
            (Ok(store), None) => {
                add_one(&store).await.unwrap();
                let sql =
                    "SELECT CAST(ssl AS TEXT) AS v FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
                assert_eq!(query(&store, sql).await, "true", "{url}");
            }
            (Err(error), Some(failure)) => {
                let message = error.log_source().unwrap();
                assert!(message.contains(&format!(":{}: ", cluster.port())), "{url}: {message}");
                assert!(message.contains(failure), "{url}: {message}");
            }
            (opened, _) => panic!("{url}: {opened:?}"),
        }
    }
}
