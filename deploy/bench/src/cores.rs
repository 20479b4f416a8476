//! Pins servers and load to different cores.

use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

/// Two different cores that this process may use.
pub(crate) struct Cores {
    server: usize,
    load: usize,
}

impl Cores {
    /// The first two of the allowed cores.
    pub(crate) fn pick() -> anyhow::Result<Cores> {
        let status = std::fs::read_to_string("/proc/self/status")?;
        let list = status
            .lines()
            .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
            .context("/proc/self/status names no allowed cores")?;
        match allowed(list.trim())?.as_slice() {
            [server, load, ..] => Ok(Cores { server: *server, load: *load }),
            _ => bail!("two cores are needed: one for the server, one for the load"),
        }
    }

    /// Pins this process, which generates the load, to its core. Must be called before threads start.
    pub(crate) fn pin_this_process(&self) -> anyhow::Result<()> {
        let status = Command::new("taskset")
            .args(["-cp", &self.load.to_string(), &std::process::id().to_string()])
            .stdout(Stdio::null())
            .status()
            .context("cannot run taskset (Debian package util-linux)")?;
        ensure!(status.success(), "taskset failed");
        Ok(())
    }

    /// A command whose process runs on the servers' core.
    pub(crate) fn on_server_core(&self, program: &std::path::Path) -> Command {
        let mut command = Command::new("taskset");
        command.args(["-c", &self.server.to_string()]).arg(program);
        command
    }
}

/// `0-2,5` → 0, 1, 2, 5.
fn allowed(list: &str) -> anyhow::Result<Vec<usize>> {
    let mut cores = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        cores.extend(first.parse::<usize>()?..=last.parse::<usize>()?);
    }
    Ok(cores)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    #[test]
    fn lists_of_cores() {
        for (list, cores) in [
            ("0", vec![0]),
            ("0-1", vec![0, 1]),
            ("1,3", vec![1, 3]),
            ("0-1,6-7", vec![0, 1, 6, 7]),
        ] {
            assert_eq!(super::allowed(list).unwrap(), cores, "{list}");
        }
        assert!(super::allowed("a-b").is_err());
    }
}
