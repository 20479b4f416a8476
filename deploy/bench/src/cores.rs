//! Pins servers and load to different cores.

use std::{path::Path, process::Command};

use anyhow::bail;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Two different cores that this process may use.
pub(crate) struct Cores {
    server: usize,
    load: usize,
}

impl Cores {
    /// The first two of the allowed cores.
    pub(crate) fn pick() -> anyhow::Result<Cores> {
        let allowed = sched_getaffinity(None)?;
        let mut cores = (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core));
        let (Some(server), Some(load)) = (cores.next(), cores.next()) else {
            bail!("two cores are needed: one for the server, one for the load");
        };
        Ok(Cores { server, load })
    }

    /// Pins this process, which generates the load, to its core. Must be called before threads start; they and
    /// child processes inherit the core.
    pub(crate) fn pin_this_process(&self) -> anyhow::Result<()> {
        let mut cores = CpuSet::new();
        cores.set(self.load);
        Ok(sched_setaffinity(None, &cores)?)
    }

    /// A command whose process runs on the servers' core.
    pub(crate) fn on_server_core(&self, program: &Path) -> Command {
        let mut command = Command::new("taskset");
        command.args(["-c", &self.server.to_string()]).arg(program);
        command
    }
}
