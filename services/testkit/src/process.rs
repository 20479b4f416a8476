//! Signals to other processes, and their states as Linux shows them under `/proc`.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// How long a process may take to stop. It stops once one of its threads is scheduled, which takes a while on a
/// machine whose processors are busy.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(1);

/// Sends a signal by name: `KILL`, `STOP`, `CONT`. Returns whether there was such a process.
pub fn signal(name: &str, pid: u32) -> bool {
    let mut kill = Command::new("kill");
    let sent = kill.args(["-s", name]).arg(pid.to_string()).stderr(Stdio::null()).status();
    sent.is_ok_and(|status| status.success())
}

/// Stops a process without ending it (SIGSTOP) and returns once no thread of it runs. Its connections stay, and
/// nothing answers.
///
/// # Panics
/// If it does not stop.
pub fn pause(pid: u32) {
    if !signal("STOP", pid) {
        return;
    }
    let started = Instant::now();
    while !is_stopped(pid) {
        assert!(started.elapsed() < STOP_LIMIT, "process {pid} does not stop");
        std::thread::sleep(PAUSE);
    }
}

/// Whether no thread of a process runs: each is stopped or has ended.
pub fn is_stopped(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let mut states = threads.filter_map(|thread| stat(&thread.path()));
    states.all(|(state, _)| matches!(state, 'T' | 'Z' | 'X'))
}

/// Whether a process runs. One that has ended but is not waited for does not.
pub fn runs(pid: u32) -> bool {
    stat_of(pid).is_some_and(|(state, _)| state != 'Z')
}

/// Processes that a process has started.
pub fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    pids.filter(|pid| stat_of(*pid).is_some_and(|(_, of)| of == parent)).collect()
}

fn stat_of(pid: u32) -> Option<(char, u32)> {
    stat(Path::new(&format!("/proc/{pid}")))
}

/// State and parent of the process or thread of a folder.
fn stat(folder: &Path) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}
