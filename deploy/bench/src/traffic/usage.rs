//! Resource usage of processes, from `/proc`.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context, ensure};
use procfs::process::{Process, all_processes};

use crate::process::cpu_time;

/// Usage of a process and its children.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// CPU time since its start, to 10 ms, including ended children.
    pub(crate) cpu: Duration,
    /// Resident memory in bytes. Shared pages count once; shared-memory segments (PostgreSQL's
    /// buffers, whose size is a setting) do not count.
    pub(crate) memory: u64,
}

/// The usage of these processes, by name and id, with their children.
///
/// # Errors
/// A process has ended.
pub(crate) fn of(processes: &[(String, u32)]) -> anyhow::Result<BTreeMap<String, Usage>> {
    let name_of = |pid: i32| processes.iter().find(|(_, known)| known.cast_signed() == pid);
    let mut usages = BTreeMap::<String, Usage>::new();
    for process in all_processes()?.flatten() {
        // A child that ends meanwhile counts as an ended one the next time.
        let Ok(stat) = process.stat() else { continue };
        let Some((name, _)) = name_of(stat.pid).or_else(|| name_of(stat.ppid)) else { continue };
        let Ok(memory) = memory(&process) else { continue };
        let usage = usages.entry(name.clone()).or_default();
        usage.cpu += cpu_time(&stat);
        usage.memory += memory;
    }
    for (name, _) in processes {
        ensure!(usages.contains_key(name), "{name} has ended");
    }
    Ok(usages)
}

fn memory(process: &Process) -> anyhow::Result<u64> {
    let maps = process.smaps_rollup()?.memory_map_rollup;
    let values = &maps.0.first().context("an empty smaps_rollup")?.extension.map;
    let value = |name| values.get(name).with_context(|| format!("smaps_rollup has no {name}"));
    Ok(value("Pss")?.saturating_sub(*value("Pss_Shmem")?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    #[test]
    fn usage_of_a_process_includes_its_children_until_it_ends() {
        let own = |pid| super::of(&[("own".to_owned(), pid)]);
        let alone = own(std::process::id()).unwrap()["own"];
        assert!(alone.memory > 1 << 20, "{alone:?}");
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let with_child = own(std::process::id()).unwrap()["own"];
        let child_memory = own(child.id()).unwrap()["own"].memory;
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(child_memory > 0 && with_child.memory > child_memory, "{child_memory}");
        assert!(own(child.id()).is_err());
    }
}
