//! The built programs, as operators run them.

use std::{
    fs::{File, Metadata},
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::{Arc, Mutex},
    thread::JoinHandle,
    time::{Duration, Instant, SystemTime},
};

use sahm_testkit::process;

use super::{node, root, test_logs, until};

/// Timeout of a start.
const START_TIMEOUT: Duration = Duration::from_secs(20);
const STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// Settings as pairs.
pub(crate) type Pairs = Vec<(String, String)>;

/// The path of a program in the folder of `sahm`. For a test, cargo builds only the programs of its own package, so
/// this checks that the program is not older than the test.
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

/// Name of the renderer, which Node runs from the build in `SAHM_SITE_DIR`.
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
    // Programs do not inherit the environment of the tests.
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

/// A free address.
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

/// The output of a pipe so far.
#[derive(Debug)]
struct Collected {
    text: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Program {
    /// Starts a program; wait for a line with [`Program::wait_for_output`] or [`Program::wait_for_log`].
    pub(crate) fn start(name: &str, pairs: Pairs) -> Self {
        Self::spawn(name, command(name, &pairs), pairs)
    }

    /// Starts a program as the leader of a process group, as a shell does; see [`Program::interrupt`].
    pub(crate) fn start_as_group(name: &str, pairs: Pairs) -> Self {
        let mut command = command(name, &pairs);
        command.process_group(0);
        Self::spawn(name, command, pairs)
    }

    fn spawn(name: &str, mut command: Command, pairs: Pairs) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = collect(child.stdout.take().unwrap(), None);
        let copy = test_logs::file(&format!("{name}-{}.log", std::process::id()));
        let log = collect(child.stderr.take().unwrap(), copy);
        Self { name: name.to_owned(), pairs, child, out, log }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Standard output so far.
    pub(crate) fn out(&self) -> String {
        self.out.text.lock().unwrap().clone()
    }

    /// Standard error so far.
    pub(crate) fn log(&self) -> String {
        self.log.text.lock().unwrap().clone()
    }

    /// Waits for a line of standard output with this prefix; returns its rest.
    pub(crate) async fn wait_for_output(&mut self, prefix: &str) -> String {
        let mut found = None;
        let what = format!("{} writes {prefix:?}", self.name);
        until(START_TIMEOUT, &what, async || {
            found =
                self.out().lines().find_map(|line| line.strip_prefix(prefix)).map(str::to_owned);
            assert!(found.is_some() || self.is_running(), "{} ended: {}", self.name, self.log());
            found.is_some()
        })
        .await;
        found.unwrap()
    }

    /// Waits until the log contains a text.
    pub(crate) async fn wait_for_log(&mut self, text: &str) {
        let what = format!("{} logs {text:?}", self.name);
        until(START_TIMEOUT, &what, async || {
            let found = self.log().contains(text);
            assert!(found || self.is_running(), "{} ended: {}", self.name, self.log());
            found
        })
        .await;
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Sends SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Restarts it with the same settings.
    pub(crate) fn restart(&mut self) {
        if self.is_running() {
            self.kill();
        }
        *self = Self::start(&self.name, self.pairs.clone());
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        signal("TERM", self.pid());
    }

    /// Sends SIGINT to its process group, as a terminal does on Ctrl-C. It must lead the group.
    pub(crate) fn interrupt(&self) {
        assert!(process::signal_group("INT", self.pid()), "no process group {}", self.pid());
    }

    /// Waits for the exit; returns its status and duration.
    pub(crate) async fn wait_for_exit(&mut self) -> (ExitStatus, Duration) {
        let began = Instant::now();
        let what = format!("{} ends", self.name);
        until(STOP_TIMEOUT, &what, async || !self.is_running()).await;
        let took = began.elapsed();
        // Reads the remaining output; a renderer that exits later keeps the pipe open a little longer.
        let readers = [&self.out.reader, &self.log.reader];
        let read = || readers.iter().all(|reader| reader.is_finished());
        until(STOP_TIMEOUT, "the output is read", async || read()).await;
        (self.child.wait().unwrap(), took)
    }

    /// Its running children.
    pub(crate) fn children(&self) -> Vec<u32> {
        process::children(self.pid())
    }

    /// Waits for the renderer that it supervises.
    pub(crate) async fn renderer(&mut self) -> u32 {
        let mut found = Vec::new();
        until(START_TIMEOUT, "a renderer runs", async || {
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

/// Reads a pipe, so that the program never blocks on it.
fn collect(pipe: impl Read + Send + 'static, mut copy: Option<File>) -> Collected {
    let text = Arc::<Mutex<String>>::default();
    let collected = text.clone();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if let Some(copy) = &mut copy {
                copy.write_all(format!("{line}\n").as_bytes()).unwrap();
            }
            let mut text = collected.lock().unwrap();
            text.push_str(&line);
            text.push('\n');
        }
    });
    Collected { text, reader }
}
