//! Metrics of a store: whether it is available, and its connections.
use std::sync::Arc;

use sea_orm::DatabaseConnection;

use super::{Engine, Inner};
use crate::telemetry::Observed;

/// Exports the metrics of a service's store while it is open.
pub(super) fn register_metrics(inner: &Arc<Inner>, service: &str) {
    let labels = [("service", service)];
    Observed::of("store.up", "1 while the database answers and takes writes")
        .labelled(&labels)
        .gauge(Arc::downgrade(inner), |inner| u64::from(inner.is_available()));
    pool(inner, &format!("{service}.read"), |inner| inner.reader.pool());
    pool(inner, &format!("{service}.write"), |inner| &inner.writer);
    // Readers queue inside the pool, which does not expose their number.
    let write = format!("{service}.write");
    Observed::of(
        "db.client.connection.pending_requests",
        "transactions that wait for a connection",
    )
    .labelled(&[("db.client.connection.pool.name", &write)])
    .gauge(Arc::downgrade(inner), |inner| Arc::strong_count(&inner.waiting) as u64 - 1);
}

fn pool(inner: &Arc<Inner>, name: &str, connection: fn(&Inner) -> &DatabaseConnection) {
    let count = |state: &str, read: fn([u64; 3]) -> u64| {
        let labels =
            [("db.client.connection.pool.name", name), ("db.client.connection.state", state)];
        Observed::of("db.client.connection.count", "connections of a pool, by state")
            .labelled(&labels)
            .gauge(Arc::downgrade(inner), move |inner| {
                read(connections(inner.engine, connection(inner)))
            });
    };
    count("idle", |[_, idle, _]| idle);
    count("used", |[open, idle, _]| open.saturating_sub(idle));
    Observed::of("db.client.connection.max", "connections that a pool may have")
        .labelled(&[("db.client.connection.pool.name", name)])
        .gauge(Arc::downgrade(inner), move |inner| {
            let [_, _, most] = connections(inner.engine, connection(inner));
            most
        });
}

/// The open, idle and most connections of a pool.
fn connections(engine: Engine, connection: &DatabaseConnection) -> [u64; 3] {
    let (open, idle, most) = match engine {
        Engine::Sqlite => {
            let pool = connection.get_sqlite_connection_pool();
            (pool.size(), pool.num_idle(), pool.options().get_max_connections())
        }
        Engine::Postgres => {
            let pool = connection.get_postgres_connection_pool();
            (pool.size(), pool.num_idle(), pool.options().get_max_connections())
        }
    };
    [open.into(), idle as u64, most.into()]
}
