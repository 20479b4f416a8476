//! The built programs, as an operator runs them.

use std::{
    fs::{File, Metadata},
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::{Duration, Instant, SystemTime},
};

use sahm_testkit::process;

use super::{kept, node, root, until};

/// A program that is not up by then will not be.
const START: Duration = Duration::from_secs(20);
const STOP: Duration = Duration::from_secs(15);

/// Settings as pairs.
pub(crate) type Pairs = Vec<(String, String)>;

/// The program beside our own `sahm`: cargo builds all programs of the workspace into one folder,
/// but for a test only those of its own package. One that lacks changes which the test itself has
/// would make tests fail for reasons that are hard to see.
fn path(name: &str) -> PathBuf {
    const BUILD: &str = "run cargo build --workspace (make test does)";
    let path = Path::new(env!("CARGO_BIN_EXE_sahm")).with_file_name(name);
    let built = modified(&path).unwrap_or_else(|| panic!("{name} is not built: {BUILD}"));
    let own = modified(&std::env::current_exe().unwrap()).unwrap();
    let sources = std::fs::read_to_string(path.with_extension("d")).unwrap_or_default();
    for source in sources.split_once(": ").map_or("", |(_, rest)| rest).split_whitespace() {
        let changed = modified(Path::new(source));
        let is_old = changed.is_some_and(|changed| built < changed && changed < own);
        assert!(!is_old, "{name} is older than {source}: {BUILD}");
    }
    path
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok().filter(Metadata::is_file)?.modified().ok()
}

/// The renderer's name as a program: Node runs the one of the build in `SAHM_SITE_DIR`.
const RENDERER: &str = "renderer";

fn command(name: &str, pairs: &[(String, String)]) -> Command {
    let mut command = match name {
        RENDERER => {
            let site = pairs.iter().rfind(|(name, _)| name == "SAHM_SITE_DIR");
            let site = Path::new(&site.unwrap().1);
            let mut command = Command::new(node());
            command.arg(site.join("server").join("renderer.js"));
            command
        }
        name => Command::new(path(name)),
    };
    // Only what is said here: the environment of whoever runs the tests is none of theirs.
    command.env_clear().envs(pairs.iter().cloned()).current_dir(root());
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
    format!("127.0.0.1:{}", sahm_testkit::free_port().unwrap())
}

/// A running program; killed when dropped.
#[derive(Debug)]
pub(crate) struct Program {
    name: String,
    pairs: Pairs,
    child: Child,
    out: Collected,
    log: Collected,
}

/// What comes from a pipe, as it comes.
#[derive(Debug)]
struct Collected {
    text: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Program {
    /// Starts it; wait for a line with [`Program::says`] or [`Program::logs`].
    pub(crate) fn start(name: &str, pairs: Pairs) -> Self {
        let mut child = command(name, &pairs)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = collect(child.stdout.take().unwrap(), None);
        let kept = kept::file(&format!("{name}-{}.log", std::process::id()));
        let log = collect(child.stderr.take().unwrap(), kept);
        Self { name: name.to_owned(), pairs, child, out, log }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// All of standard output so far.
    pub(crate) fn out(&self) -> String {
        self.out.text.lock().unwrap().clone()
    }

    /// All of standard error so far.
    pub(crate) fn log(&self) -> String {
        self.log.text.lock().unwrap().clone()
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
        *self = Self::start(&self.name, self.pairs.clone());
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
        let took = began.elapsed();
        // The last words; a renderer that ends after it holds the pipe a little longer.
        let readers = [&self.out.reader, &self.log.reader];
        let read = || readers.iter().all(|reader| reader.is_finished());
        until(STOP, "all it said is read", async || read()).await;
        (self.child.wait().unwrap(), took)
    }

    /// Its living children.
    pub(crate) fn children(&self) -> Vec<u32> {
        process::children(self.pid())
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
    assert!(process::signal(name, pid), "no process {pid}");
}

/// Collects what comes, so that the program never waits for a full pipe.
fn collect(pipe: impl Read + Send + 'static, mut kept: Option<File>) -> Collected {
    let text = Arc::<Mutex<String>>::default();
    let collected = text.clone();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if let Some(kept) = &mut kept {
                kept.write_all(format!("{line}\n").as_bytes()).unwrap();
            }
            let mut text = collected.lock().unwrap();
            text.push_str(&line);
            text.push('\n');
        }
    });
    Collected { text, reader }
}
