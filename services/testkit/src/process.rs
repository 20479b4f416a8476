//! Signals to other processes and their states in Linux's `/proc`.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Upper bound on the time until SIGSTOP takes effect: it waits until one of the process's threads
/// is scheduled, which takes a while on a busy machine.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Poll interval.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Sends a signal by name: `KILL`, `STOP`, `CONT`. Returns whether there was such a process.
pub fn signal(name: &str, pid: u32) -> bool {
    send(name, &pid.to_string())
}

/// Sends a signal to all processes of a group, which has the id of its leader. Returns whether
/// there was such a group.
pub fn signal_group(name: &str, leader: u32) -> bool {
    send(name, &format!("-{leader}"))
}

fn send(name: &str, target: &str) -> bool {
    let mut kill = Command::new("kill");
    let sent = kill.args(["-s", name, "--", target]).stderr(Stdio::null()).status();
    sent.is_ok_and(|status| status.success())
}

/// Stops a process with SIGSTOP and returns once none of its threads runs. Its connections stay
/// open, and nothing responds.
///
/// # Panics
/// The process does not stop in time.
pub fn pause(pid: u32) {
    if !signal("STOP", pid) {
        return;
    }
    let started = Instant::now();
    while !is_stopped(pid) {
        assert!(started.elapsed() < STOP_TIMEOUT, "process {pid} does not stop");
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Whether each thread of a process is stopped or has ended.
pub fn is_stopped(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let mut states = threads.filter_map(|thread| stat(&thread.path()));
    states.all(|(state, _)| matches!(state, 'T' | 'Z' | 'X'))
}

/// Whether a process runs; a zombie does not.
pub fn runs(pid: u32) -> bool {
    stat_of(pid).is_some_and(|(state, _)| state != 'Z')
}

/// The direct child processes of a process.
pub fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    pids.filter(|pid| stat_of(*pid).is_some_and(|(_, of)| of == parent)).collect()
}

fn stat_of(pid: u32) -> Option<(char, u32)> {
    stat(Path::new(&format!("/proc/{pid}")))
}

/// State and parent process id from the `stat` file in the folder of a process or thread.
fn stat(folder: &Path) -> Option<(char, u32)> {
    let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}
