//! An error is made at once, whatever other threads do.
#![allow(clippy::unwrap_used)]

use std::{
    backtrace::Backtrace,
    io::{self, Read, Write},
    process::{Command, Stdio, exit},
    sync::mpsc,
    thread,
    time::Duration,
};

use sahm_chassis::error::Error;
use tonic::Status;

/// How long what does not wait may take.
const AT_ONCE: Duration = Duration::from_secs(5);
/// How long shows that something waits.
const A_WHILE: Duration = Duration::from_millis(300);

/// A panic prints its backtrace behind a lock that all who take one wait for.
#[test]
fn errors_do_not_wait_for_a_backtrace_that_is_printed() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--nocapture", "while_a_panic_is_printed"])
        .env("RUST_BACKTRACE", "1")
        // Nobody reads it: what is printed there stops.
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success(), "{said}");
    assert!(said.contains("made at once"), "{said}");
}

#[test]
#[ignore = "run by errors_do_not_wait_for_a_backtrace_that_is_printed"]
fn while_a_panic_is_printed() {
    let (more, written) = mpsc::channel();
    thread::spawn(move || {
        while io::stderr().write_all(&[b'.'; 1024]).is_ok() {
            let _ = more.send(());
        }
    });
    while written.recv_timeout(A_WHILE).is_ok() {}
    thread::spawn(|| panic!("printed for ever"));
    while ends_within(A_WHILE, || drop(Backtrace::force_capture())) {}

    let made = ends_within(AT_ONCE, || {
        drop(Error::unavailable(io::Error::other("the database is away")));
        drop(Error::internal("a row is missing"));
        drop(Error::from(Status::unavailable("away")));
    });
    let said = if made { "made at once" } else { "waits for the backtrace" };
    io::stdout().write_all(said.as_bytes()).unwrap();
    // The other threads never end.
    exit(i32::from(!made));
}

fn ends_within(limit: Duration, work: impl FnOnce() + Send + 'static) -> bool {
    let (done, ended) = mpsc::channel();
    thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    ended.recv_timeout(limit).is_ok()
}
