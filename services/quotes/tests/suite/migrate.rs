//! `sahm-quotes migrate`, as a job runs it before a rollout.
use std::process::{Command, Output};

fn migrate(database: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sahm-quotes"))
        .arg("migrate")
        .env("SAHM_QUOTES_DATABASE_URL", database)
        .output()
        .unwrap()
}

#[test]
fn makes_the_schema_once_and_finds_it_made() {
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
fn says_what_is_wrong_by_its_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    // A folder is no database.
    let output = migrate(&format!("sqlite:{}", folder.path().display()));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(migrate("mysql://elsewhere").status.code(), Some(2));
}
