//! PostgreSQL behind PgBouncer in transaction mode: two connections to the server for all clients.
use sahm_testkit::PgBouncer;

use super::*;

const CONNECTIONS: u32 = 2;

/// Starts PostgreSQL and PgBouncer, and creates a database for the service `content`.
async fn start() -> (Postgres, PgBouncer, Fixture) {
    let postgres = Postgres::start().await.unwrap();
    let pgbouncer = PgBouncer::start(&postgres, CONNECTIONS).await.unwrap();
    let url = pgbouncer.database(&postgres, "content").await.unwrap().parse().unwrap();
    (postgres, pgbouncer, Fixture { url, _folder: tempfile::tempdir().unwrap() })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stores_share_two_connections() {
    let (_postgres, _pgbouncer, fixture) = start().await;
    concurrent_and_later_opens_migrate_once(fixture).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_hundred_writers_share_two_connections() {
    let (_postgres, _pgbouncer, fixture) = start().await;
    four_hundred_concurrent_writers_all_commit(fixture).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_and_dropped_transactions_leave_a_clean_connection() {
    let (_postgres, _pgbouncer, fixture) = start().await;
    error_or_drop_rolls_back(fixture).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_server_is_noticed_and_used_again() {
    let (mut postgres, _pgbouncer, fixture) = start().await;
    let store = fixture.open().await;
    add_one(&store).await.unwrap();
    postgres.kill();
    let killed = Instant::now();
    while store.ping().await.is_ok() {
        assert!(killed.elapsed() < Duration::from_secs(5), "not noticed");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(add_one(&store).await.unwrap_err().code(), ErrorCode::Unavailable);
    postgres.restart().await.unwrap();
    add_one_when_available(&store).await;
    assert_eq!(count(&store).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn database_without_the_parameters_of_its_sessions_is_refused() {
    struct Case {
        parameter: &'static str,
        error: &'static str,
    }
    let cases = [
        Case {
            parameter: "statement_timeout = '10s'",
            error: "search_path is \"\\\"$user\\\", public\" instead of \"content\"",
        },
        Case {
            parameter: "search_path = content",
            error: "statement_timeout is \"0\" instead of \"10s\"",
        },
    ];
    let postgres = Postgres::start().await.unwrap();
    let pgbouncer = PgBouncer::start(&postgres, CONNECTIONS).await.unwrap();
    for Case { parameter, error } in cases {
        let url = postgres.database().await.unwrap();
        let name = url.rsplit('/').next().unwrap();
        postgres.execute(&url, &format!("ALTER DATABASE {name} SET {parameter}")).unwrap();
        let url = pgbouncer.url(&url).parse().unwrap();
        let refused = Store::open(&url, "content", &[CREATE_COUNTER]).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::Internal);
        assert!(format!("{refused:?}").contains(error), "{refused:?}");
    }
}
