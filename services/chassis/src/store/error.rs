//! Mapping of database errors to error codes.
use sea_orm::{DbErr, RuntimeErr, SqlxError};

use crate::error::{Error, ErrorCode};

impl From<DbErr> for Error {
    /// Connection problems become `Unavailable`, text that PostgreSQL cannot store (U+0000)
    /// `Parameter`, all other errors `Internal`.
    fn from(error: DbErr) -> Error {
        match code_of(&error) {
            ErrorCode::Parameter => Error::of(ErrorCode::Parameter),
            code => Error::of(code).with_source(error),
        }
    }
}

fn code_of(error: &DbErr) -> ErrorCode {
    let driver_error = match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => return ErrorCode::Unavailable,
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            &**error
        }
        _ => return ErrorCode::Internal,
    };
    match driver_error {
        SqlxError::Io(_)
        | SqlxError::Tls(_)
        | SqlxError::Protocol(_)
        | SqlxError::PoolTimedOut
        | SqlxError::PoolClosed
        | SqlxError::WorkerCrashed => ErrorCode::Unavailable,
        SqlxError::Database(error) => match error.code().as_deref() {
            // PostgreSQL's `character_not_in_repertoire`.
            Some("22021") => ErrorCode::Parameter,
            Some(code) if is_unavailable(code) => ErrorCode::Unavailable,
            _ => ErrorCode::Internal,
        },
        _ => ErrorCode::Internal,
    }
}

/// Matches PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown, startup), its
/// read-only standby after a failover, lock and statement timeouts, and deadlocks; and SQLite's
/// busy, locked, read-only, I/O error, full and cannot-open with their extended codes.
fn is_unavailable(code: &str) -> bool {
    if let Ok(number) = code.parse::<u32>()
        && code.len() < 5
    {
        return matches!(number & 0xff, 5 | 6 | 8 | 10 | 13 | 14);
    }
    code.starts_with("08")
        || code.starts_with("53")
        || code.starts_with("57P")
        || matches!(code, "25006" | "55P03" | "57014" | "40P01" | "40001")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_connection_are_unavailable() {
        use SqlxError as E;
        let broken = || std::io::Error::other("connection reset by peer");
        let cases = [
            (E::Io(broken()), ErrorCode::Unavailable),
            (E::Tls("the server has no TLS".into()), ErrorCode::Unavailable),
            (E::Protocol("unexpected message".to_owned()), ErrorCode::Unavailable),
            (E::PoolTimedOut, ErrorCode::Unavailable),
            (E::PoolClosed, ErrorCode::Unavailable),
            (E::WorkerCrashed, ErrorCode::Unavailable),
            (E::RowNotFound, ErrorCode::Internal),
        ];
        for (error, code) in cases {
            let shown = error.to_string();
            let error = Error::from(DbErr::Query(RuntimeErr::SqlxError(error.into())));
            assert_eq!(error.code(), code, "{shown}");
        }
    }

    #[test]
    fn transient_database_codes_are_unavailable() {
        let cases = [
            ("5", true),
            ("261", true),
            ("517", true),
            ("6", true),
            ("8", true),
            ("778", true),
            ("8714", true),
            ("13", true),
            ("14", true),
            ("11", false),
            ("19", false),
            ("2067", false),
            ("08006", true),
            ("57P01", true),
            ("57P03", true),
            ("53300", true),
            ("25006", true),
            ("23505", false),
            ("42P01", false),
        ];
        for (code, expected) in cases {
            assert_eq!(is_unavailable(code), expected, "{code}");
        }
    }
}
