//! Creating an error does not wait for other threads.
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

/// Upper bound on the duration of an operation that does not block.
const MAX_DURATION: Duration = Duration::from_secs(5);
/// Lower bound on the duration of an operation that blocks.
const MIN_WAIT: Duration = Duration::from_millis(300);

/// The standard library prints the backtrace of a panic under a lock that every capture of a
/// backtrace takes.
#[test]
fn error_creation_does_not_wait_for_a_panics_backtrace() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--nocapture", "create_error_while_a_panic_prints"])
        .env("RUST_BACKTRACE", "1")
        // The pipe is not read, so that printing blocks.
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert!(child.wait().unwrap().success(), "{output}");
    assert!(output.contains("made at once"), "{output}");
}

#[test]
#[ignore = "run by error_creation_does_not_wait_for_a_panics_backtrace"]
fn create_error_while_a_panic_prints() {
    let (more, written) = mpsc::channel();
    thread::spawn(move || {
        while io::stderr().write_all(&[b'.'; 1024]).is_ok() {
            let _ = more.send(());
        }
    });
    while written.recv_timeout(MIN_WAIT).is_ok() {}
    thread::spawn(|| panic!("printed for ever"));
    while ends_within(MIN_WAIT, || drop(Backtrace::force_capture())) {}

    let made = ends_within(MAX_DURATION, || {
        drop(Error::unavailable(io::Error::other("the database is away")));
        drop(Error::internal("a row is missing"));
        drop(Error::from(Status::unavailable("away")));
    });
    let output = if made { "made at once" } else { "waits for the backtrace" };
    io::stdout().write_all(output.as_bytes()).unwrap();
    // The other threads are blocked for ever.
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
