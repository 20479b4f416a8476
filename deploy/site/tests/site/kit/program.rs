//! The built programs, as an operator runs them.

use std::{
    io::{BufRead, BufReader, Read},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use super::{root, until};

/// A program that is not up by then will not be.
const START: Duration = Duration::from_secs(20);
const STOP: Duration = Duration::from_secs(15);

/// Settings as pairs.
pub(crate) type Pairs = Vec<(String, String)>;

/// The program beside our own `sahm`: cargo builds all programs of the workspace into one folder.
fn path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_sahm")).with_file_name(name);
    assert!(path.exists(), "{name} is not built: run cargo build --workspace (make test does)");
    path
}

fn command(name: &str, pairs: &[(String, String)]) -> Command {
    let mut command = Command::new(path(name));
    // Only what is said here: the environment of whoever runs the tests is none of theirs.
    command.env_clear().envs(pairs.iter().cloned()).current_dir(root());
    command.env("NO_COLOR", "1");
    if let Some(filter) = std::env::var_os("RUST_LOG") {
        command.env("RUST_LOG", filter);
    }
    command
}

/// Runs a program to its end.
pub(crate) fn run(name: &str, arguments: &[&str], pairs: &[(String, String)]) -> Output {
    command(name, pairs).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// An address that was free a moment ago.
pub(crate) fn free_address() -> String {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().to_string()
}

/// A running program; killed when dropped.
#[derive(Debug)]
pub(crate) struct Program {
    name: &'static str,
    pairs: Pairs,
    child: Child,
    out: Arc<Mutex<String>>,
    log: Arc<Mutex<String>>,
}

impl Program {
    /// Starts it; wait for a line with [`Program::says`] or [`Program::logs`].
    pub(crate) fn start(name: &'static str, pairs: Pairs) -> Self {
        let mut child = command(name, &pairs)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = follow(child.stdout.take().unwrap());
        let log = follow(child.stderr.take().unwrap());
        Self { name, pairs, child, out, log }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// All of standard output so far.
    pub(crate) fn out(&self) -> String {
        self.out.lock().unwrap().clone()
    }

    /// All of standard error so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits for the line of standard output that begins so, and gives the rest of it.
    pub(crate) async fn says(&mut self, prefix: &str) -> String {
        let mut found = None;
        let what = format!("{} says {prefix:?}", self.name);
        until(START, &what, async || {
            found =
                self.out().lines().find_map(|line| line.strip_prefix(prefix)).map(str::to_owned);
            assert!(found.is_some() || self.lives(), "{} ended: {}", self.name, self.log());
            found.is_some()
        })
        .await;
        found.unwrap()
    }

    /// Waits until a line of the log holds the text so many times in all.
    pub(crate) async fn logs(&mut self, text: &str) {
        let what = format!("{} logs {text:?}", self.name);
        until(START, &what, async || {
            let found = self.log().contains(text);
            assert!(found || self.lives(), "{} ended: {}", self.name, self.log());
            found
        })
        .await;
    }

    pub(crate) fn lives(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Ends it at once (SIGKILL).
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again with the same settings.
    pub(crate) fn restart(&mut self) {
        if self.lives() {
            self.kill();
        }
        *self = Self::start(self.name, self.pairs.clone());
    }

    /// Sends SIGTERM.
    pub(crate) fn ask_to_end(&self) {
        signal("TERM", self.pid());
    }

    /// Waits for the end: how it ended, and how long that took.
    pub(crate) async fn ended(&mut self) -> (ExitStatus, Duration) {
        let began = Instant::now();
        let what = format!("{} ends", self.name);
        until(STOP, &what, async || !self.lives()).await;
        (self.child.wait().unwrap(), began.elapsed())
    }

    /// Its living children.
    pub(crate) fn children(&self) -> Vec<u32> {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|process| process.file_name().to_str()?.parse().ok())
            .filter(|pid| stat(*pid).is_some_and(|(_, parent)| parent == self.pid()))
            .collect()
    }

    /// The renderer that it supervises, once it does.
    pub(crate) async fn renderer(&mut self) -> u32 {
        let mut found = Vec::new();
        until(START, "a renderer runs", async || {
            found = self.children();
            !found.is_empty()
        })
        .await;
        assert_eq!(found.len(), 1);
        found[0]
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal by name.
pub(crate) fn signal(name: &str, pid: u32) {
    let sent = Command::new("kill").args(["-s", name]).arg(pid.to_string()).status().unwrap();
    assert!(sent.success());
}

/// Whether a process runs; one that has ended and is not waited for does not.
pub(crate) fn runs(pid: u32) -> bool {
    stat(pid).is_some_and(|(state, _)| state != 'Z')
}

/// A process's state and parent.
fn stat(pid: u32) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Collects what comes, so that the program never waits for a full pipe.
fn follow(pipe: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let text = Arc::new(Mutex::new(String::new()));
    let collected = text.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            let mut text = collected.lock().unwrap();
            text.push_str(&line);
            text.push('\n');
        }
    });
    text
}
