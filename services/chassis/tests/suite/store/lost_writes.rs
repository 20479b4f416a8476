//! Full disks, failed commits and read-only servers: no acknowledged write is lost.
use super::*;

/// So large that a few rows fill the disk.
const BALLAST: usize = 16 << 10;

async fn add_row(store: &Store, number: u32) -> Result<()> {
    let sql = format!("INSERT INTO counter (id, count) VALUES ({}, {number})", number + 10);
    let ballast = format!("INSERT INTO ballast VALUES (randomblob({BALLAST}))");
    store
        .write(async |tx| {
            tx.execute_unprepared(&sql).await?;
            Ok(tx.execute_unprepared(&ballast).await.map(drop)?)
        })
        .await
}

fn is_unavailable(error: &Error) -> bool {
    error.code() == ErrorCode::Unavailable
}

async fn numbers(store: &Store) -> Vec<u32> {
    let sql = "SELECT count FROM counter WHERE id >= 10 ORDER BY id";
    let sql = Statement::from_string(store.reader().get_database_backend(), sql);
    let rows = store.reader().query_all_raw(sql).await.unwrap();
    rows.iter().map(|row| row.try_get::<i64>("", "count").unwrap() as u32).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_on_a_full_disk_loses_no_acknowledged_write_and_recovers() {
    let disk = SmallDisk::mount(8 << 20).unwrap();
    let url = DatabaseUrl::file(disk.path().join("s.sqlite"));
    let store = Store::open(&url, "full_disk", &[CREATE_COUNTER]).await.unwrap();
    let up = || figure("store_up", "service=\"full_disk\"");
    let table = "CREATE TABLE ballast (data BLOB)";
    store.write(async |tx| Ok(tx.execute_unprepared(table).await?)).await.unwrap();
    store.ping().await.unwrap();
    let has_failed = AtomicBool::new(false);
    let write = async |number| {
        let outcome = add_row(&store, number).await;
        assert_eq!(up(), Some(u64::from(outcome.is_ok())));
        if outcome.is_err() && !has_failed.swap(true, Ordering::SeqCst) {
            // Reads still succeed; readiness fails once the last probe is a second old.
            assert!(!numbers(&store).await.is_empty());
            let failed = Instant::now();
            while store.ping().await.is_ok() {
                assert!(failed.elapsed() < Duration::from_secs(5), "ready on a full disk");
                disk.fill().unwrap();
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        outcome
    };
    let acknowledged = disk.acknowledged_writes(write, is_unavailable).await.unwrap();
    assert!(has_failed.into_inner());
    let freed = Instant::now();
    while store.ping().await.is_err() {
        assert!(freed.elapsed() < Duration::from_secs(5), "not ready with room again");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // A second process would not see rows of a transaction that never ends.
    assert_eq!(
        numbers(&Store::open(&url, "other", &[CREATE_COUNTER]).await.unwrap()).await,
        acknowledged
    );
}

/// The commit itself fails, not an earlier statement.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_commit_is_not_acknowledged_and_the_next_write_commits() {
    let setup = "CREATE TABLE child (id INTEGER REFERENCES counter (id) \
                 DEFERRABLE INITIALLY DEFERRED)";
    for fixture in [Fixture::sqlite().await, Fixture::postgres().await] {
        let store = fixture.open().await;
        store.write(async |tx| Ok(tx.execute_unprepared(setup).await?)).await.unwrap();
        for _ in 0..3 {
            let orphan = "INSERT INTO child VALUES (77)";
            let failed = store.write(async |tx| Ok(tx.execute_unprepared(orphan).await?)).await;
            assert!(failed.is_err(), "{:?}", store.engine());
            add_one(&store).await.unwrap();
        }
        let other = fixture.open().await;
        assert_eq!(count(&other).await, 3, "{:?}", store.engine());
        assert_eq!(query(&other, "SELECT CAST(count(*) AS TEXT) AS v FROM child").await, "0");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_is_not_acknowledged_when_its_postgres_backend_dies() {
    let fixture = Fixture::postgres().await;
    let store = fixture.open().await;
    let setup = "CREATE FUNCTION end_backend() RETURNS trigger LANGUAGE plpgsql AS \
                 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'; \
                 CREATE TABLE fragile (id INTEGER); \
                 CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON fragile \
                 DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_backend()";
    store.write(async |tx| Ok(tx.execute_unprepared(setup).await?)).await.unwrap();
    for _ in 0..3 {
        let insert = "INSERT INTO fragile VALUES (1)";
        let failed = store.write(async |tx| Ok(tx.execute_unprepared(insert).await?)).await;
        assert_eq!(failed.unwrap_err().code(), ErrorCode::Unavailable);
        add_one(&store).await.unwrap();
    }
    assert_eq!(query(&store, "SELECT CAST(count(*) AS TEXT) AS v FROM fragile").await, "0");
    assert_eq!(count(&store).await, 3);
}

/// Waits until this thread has logged `line`.
async fn logged(log: &CapturedLog, line: &str) {
    let began = Instant::now();
    let mut lines = String::new();
    while !lines.contains(line) {
        assert!(began.elapsed() < Duration::from_secs(5), "no {line:?} in {lines}");
        tokio::time::sleep(Duration::from_millis(10)).await;
        lines.push_str(&log.take());
    }
}

/// On one thread, because the test captures this thread's log.
#[tokio::test]
async fn read_only_postgres_is_unready_and_unavailable_for_writes() {
    let log = CapturedLog::start();
    let cluster = Postgres::start().await.unwrap();
    let url: DatabaseUrl = cluster.database().await.unwrap().parse().unwrap();
    let store = Store::open(&url, "content", &[CREATE_COUNTER]).await.unwrap();
    store.ping().await.unwrap();
    cluster.configure("default_transaction_read_only", "on").unwrap();
    logged(&log, "database is read-only").await;
    assert!(store.ping().await.is_err(), "ready without writes");
    assert_eq!(add_one(&store).await.unwrap_err().code(), ErrorCode::Unavailable);
    assert_eq!(count(&store).await, 0);
    cluster.configure("default_transaction_read_only", "off").unwrap();
    add_one_when_available(&store).await;
    logged(&log, "database is available again").await;
    store.ping().await.unwrap();
}
