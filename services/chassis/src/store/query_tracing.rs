//! Metrics and spans of SQL statements. Only the kind of the statement and its table are recorded,
//! never values.
use sea_orm::DatabaseConnection;

use super::Engine;
use crate::telemetry::DatabaseCall;

/// Records each statement of a connection to the database of a service.
pub(super) fn trace_queries(connection: &mut DatabaseConnection, engine: Engine, service: &str) {
    let system = match engine {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgresql",
    };
    let service = service.to_owned();
    connection.set_metric_callback(move |done| {
        let (operation, collection) = read(&done.statement.sql);
        let call = DatabaseCall {
            system,
            namespace: &service,
            operation,
            collection,
            stored_procedure: None,
            // The kind of error is not known here.
            error: done.failed.then_some("_OTHER"),
            elapsed: done.elapsed,
        };
        call.record();
    });
}

/// The operation of a statement and the first table in it.
fn read(sql: &str) -> (&'static str, Option<&str>) {
    const OPERATIONS: [&str; 5] = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"];
    let between = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | ',' | ';');
    let mut words = sql.split(between).filter(|word| !word.is_empty()).peekable();
    let first = words.peek().copied().unwrap_or_default();
    let operation = OPERATIONS.into_iter().find(|known| first.eq_ignore_ascii_case(known));
    let Some(operation) = operation else { return ("OTHER", None) };
    let before = |word: &&str| {
        ["FROM", "INTO", "UPDATE"].into_iter().any(|known| word.eq_ignore_ascii_case(known))
    };
    let table = words.find(before).and_then(|_| words.next()).map(|word| word.trim_matches('"'));
    let is_name = |word: &&str| {
        !OPERATIONS.contains(&word.to_ascii_uppercase().as_str())
            && !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    (operation, table.filter(is_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_name_operation_and_table_without_values() {
        for (sql, expected) in [
            ("SELECT \"a\".\"b\" FROM \"entry\" WHERE \"x\" = $1", ("SELECT", Some("entry"))),
            ("select 1", ("SELECT", None)),
            ("SELECT pg_advisory_xact_lock($1)", ("SELECT", None)),
            ("INSERT INTO \"event\" (\"id\") VALUES ($1)", ("INSERT", Some("event"))),
            (
                "INSERT INTO event(id) VALUES ($1) ON CONFLICT DO UPDATE SET id = $1",
                ("INSERT", Some("event")),
            ),
            ("UPDATE \"session\" SET \"until\" = $1", ("UPDATE", Some("session"))),
            (
                "DELETE FROM\n  auth_code WHERE phone = '+966500000001'",
                ("DELETE", Some("auth_code")),
            ),
            ("SELECT a FROM (SELECT 1) AS x", ("SELECT", None)),
            ("PRAGMA journal_mode", ("OTHER", None)),
            ("", ("OTHER", None)),
        ] {
            assert_eq!(read(sql), expected, "{sql}");
        }
    }
}
