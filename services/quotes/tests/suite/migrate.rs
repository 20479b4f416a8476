//! `sahm-quotes migrate`, as run by a job before a rollout.
use std::process::{Command, Output};

fn migrate(database: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sahm-quotes"))
        .arg("migrate")
        .env("SAHM_QUOTES_DATABASE_URL", database)
        .output()
        .unwrap()
}

#[test]
fn migrate_is_idempotent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quotes.sqlite");
    let database = format!("sqlite:{}", file.display());
    for _ in 0..2 {
        let output = migrate(&database);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stdout, b"sahm-quotes: the schema is up to date\n");
    }
    assert!(file.metadata().unwrap().len() > 0);
}

#[test]
fn migrate_fails_with_an_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    // A folder is not a database.
    let output = migrate(&format!("sqlite:{}", folder.path().display()));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(migrate("mysql://elsewhere").status.code(), Some(2));
}
