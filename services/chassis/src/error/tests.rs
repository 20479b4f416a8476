#![allow(clippy::unwrap_used)]
use std::{error::Error as _, fs, io, sync::Mutex};

use tempfile::NamedTempFile;

use super::*;

/// Codes that callers of the JSON API need not distinguish by number.
const SHARED_NUMBERS: [&[ErrorCode]; 4] = [
    &[ErrorCode::Parameter, ErrorCode::TooLarge, ErrorCode::Rejected],
    &[ErrorCode::Forbidden, ErrorCode::CallerTokenRequired, ErrorCode::GatewayOnly],
    &[ErrorCode::Conflict, ErrorCode::FailedPrecondition],
    &[ErrorCode::Unimplemented, ErrorCode::Unavailable, ErrorCode::TurnedOff],
];

#[test]
fn names_are_unique_and_numbers_are_shared_only_as_listed() {
    for (at, code) in ErrorCode::all().enumerate() {
        for other in ErrorCode::all().skip(at + 1) {
            let shares_number = SHARED_NUMBERS
                .iter()
                .any(|shared| shared.contains(&code) && shared.contains(&other));
            assert_eq!(code.number() == other.number(), shares_number, "{code:?} {other:?}");
            assert_ne!(code.name(), other.name());
        }
    }
    assert_eq!(ErrorCode::from_number(1), None);
}

#[test]
fn source_is_in_the_log_and_not_in_the_message() {
    struct Case {
        error: Error,
        display: &'static str,
        debug: &'static str,
        line: &'static str,
    }
    let cases = [
        Case {
            error: Error::field("email", "is empty").and_field("code", "has 6 digits"),
            display: "invalid parameter; email: is empty; code: has 6 digits",
            debug: "parameter_exception: invalid parameter; email: is empty; code: has 6 digits",
            line: "",
        },
        Case {
            error: Error::internal("a row is missing"),
            display: "internal error",
            debug: "internal_error: internal error (a row is missing)",
            line: "ERROR call failed code=\"internal_error\" error=\"a row is missing\"\n",
        },
        Case {
            error: Error::unavailable(io::Error::other("the database is away")),
            display: "unavailable",
            debug: "unavailable: unavailable (the database is away)",
            line: " WARN call failed code=\"unavailable\" error=\"the database is away\"\n",
        },
        Case {
            error: Error::new(ErrorCode::Conflict, "no").with_source(Error::internal("inner")),
            display: "no",
            debug: "conflict: no (internal error: inner)",
            line: " WARN call failed code=\"conflict\" error=\"internal error: inner\"\n",
        },
    ];
    for Case { error, display, debug, line } in cases {
        let log = NamedTempFile::new().unwrap();
        let format = tracing_subscriber::fmt().with_ansi(false).with_target(false).without_time();
        let subscriber = format.with_writer(Mutex::new(log.reopen().unwrap())).finish();
        tracing::subscriber::with_default(subscriber, || error.log());
        let lines = fs::read_to_string(log.path()).unwrap();
        let shown = (error.to_string(), format!("{error:?}"), lines);
        assert_eq!(shown, (display.to_owned(), debug.to_owned(), line.to_owned()));
        let source = error.source().map(with_causes);
        assert_eq!(source, error.log_source());
    }
}
