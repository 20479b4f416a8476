//! Resource usage of processes, from `/proc`.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    time::Duration,
};

use anyhow::Context;

use crate::process::{TICK, parent, ticks};

/// Usage of a process and its children.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// CPU time since its start, to 10 ms, including ended children.
    pub(crate) cpu: Duration,
    /// Resident memory in bytes. Shared pages count once; shared-memory segments (PostgreSQL's
    /// buffers, whose size is a setting) do not count.
    pub(crate) memory: u64,
}

/// User and system time, of the process and of its ended children.
const WITH_ENDED: usize = 4;

/// The usage of these processes, by name and id, with their children.
///
/// # Errors
/// A process has ended.
pub(crate) fn of(processes: &[(String, u32)]) -> anyhow::Result<BTreeMap<String, Usage>> {
    let mut usages = BTreeMap::new();
    let mut names = HashMap::new();
    for (name, pid) in processes {
        let pid = pid.to_string();
        let usage = one(&pid).with_context(|| format!("{name} has ended"))?;
        usages.insert(name.clone(), usage);
        names.insert(pid, name.clone());
    }
    for process in fs::read_dir("/proc")?.flatten() {
        let Some(id) = process.file_name().to_str().map(str::to_owned) else { continue };
        let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        let Some(name) = parent(&stat).and_then(|parent| names.get(parent)) else { continue };
        // A child that ends meanwhile counts as an ended one the next time.
        if let (Some(sum), Ok(child)) = (usages.get_mut(name), one(&id)) {
            sum.cpu += child.cpu;
            sum.memory += child.memory;
        }
    }
    Ok(usages)
}

fn one(pid: &str) -> anyhow::Result<Usage> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    Ok(Usage {
        cpu: TICK * ticks(&stat, WITH_ENDED).context("an unreadable /proc/PID/stat")?,
        memory: memory(&rollup).context("an unreadable /proc/PID/smaps_rollup")?,
    })
}

/// Bytes of a `/proc/PID/smaps_rollup` text.
fn memory(rollup: &str) -> Option<u64> {
    let kilobytes = |name: &str| {
        let line = rollup.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()
    };
    Some(kilobytes("Pss:")?.saturating_sub(kilobytes("Pss_Shmem:")?) << 10)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    #[test]
    fn shared_memory_is_left_out() {
        let text = "55-77 ---p 0 00:00 0 [rollup]\nRss:  90 kB\nPss:   70 kB\nPss_Anon: 40 kB\n\
                    Pss_Shmem:   20 kB\n";
        assert_eq!(super::memory(text), Some(50 << 10));
        assert_eq!(super::memory("Rss: 90 kB\n"), None);
    }

    #[test]
    fn this_process_uses_something() {
        let own = |pid| super::of(&[("own".to_owned(), pid)]);
        let usage = own(std::process::id()).unwrap()["own"];
        assert!(usage.memory > 1 << 20, "{usage:?}");
        assert!(own(u32::MAX).is_err());
    }
}
