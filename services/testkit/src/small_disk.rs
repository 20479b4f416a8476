//! A file system of a few megabytes for tests with a full disk.
use std::{
    fs::{self, File},
    io::{ErrorKind, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use tempfile::TempDir;

use crate::server::Holder;

/// Mounts the file system, and unmounts it once standard input closes, even if the test is killed.
const SCRIPT: &str = r#"
mount -t tmpfs -o "size=$1,mode=0777" sahm-test "$2" || exit 1
echo mounted
cat >/dev/null
umount -l "$2" && rmdir "$2"
"#;
/// Number of refused writes on a full disk: a second failed commit on one connection must not lose
/// later writes.
const REFUSALS: u32 = 3;
/// Upper bound on writes that still fit into space that the database allocated earlier.
const MAX_WRITES: u32 = 20_000;
/// Upper bound on the time until writes succeed again once there is space.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A mounted tmpfs, unmounted on drop.
///
/// Mounting needs root, or `sudo` without a password; a test without either fails.
#[derive(Debug)]
pub struct SmallDisk {
    // Dropped before its folder.
    _holder: Holder,
    folder: TempDir,
}

impl SmallDisk {
    /// Mounts a file system of this size.
    ///
    /// # Errors
    /// The system refuses to mount it.
    pub fn mount(bytes: u64) -> anyhow::Result<SmallDisk> {
        let folder = tempfile::Builder::new().prefix("sahm-disk-").tempdir()?;
        let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
        let mut command = Command::new(if is_root { "sh" } else { "sudo" });
        if !is_root {
            command.args(["-n", "sh"]);
        }
        command.args(["-c", SCRIPT, "sh", &bytes.to_string()]).arg(folder.path());
        let (holder, line) = Holder::start(&mut command)?;
        ensure!(line == "mounted", "cannot mount a tmpfs: run as root or with sudo");
        Ok(SmallDisk { _holder: holder, folder })
    }

    /// The mount point.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Fills the remaining space.
    ///
    /// # Errors
    /// The file cannot be written for another reason than a full disk.
    pub fn fill(&self) -> anyhow::Result<()> {
        let mut file = File::options().create(true).append(true).open(self.filler())?;
        let block = [0; 4096];
        loop {
            match file.write_all(&block) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Frees the space that [`SmallDisk::fill`] took.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn free(&self) -> anyhow::Result<()> {
        Ok(fs::remove_file(self.filler())?)
    }

    /// Writes numbered rows while the disk is filled and freed, and returns the acknowledged
    /// numbers in order. Afterwards a reader must find exactly these.
    ///
    /// # Errors
    /// - A write is refused while there is space.
    /// - A write fails with an error that `is_unavailable` does not accept.
    /// - Writes succeed on a full disk, or still fail once there is space again.
    pub async fn acknowledged_writes<E: std::fmt::Debug>(
        &self,
        mut write: impl AsyncFnMut(u32) -> Result<(), E>,
        is_unavailable: impl Fn(&E) -> bool,
    ) -> anyhow::Result<Vec<u32>> {
        let mut acknowledged = Vec::new();
        let mut refusals = 0;
        let mut numbers = 0..MAX_WRITES;
        let mut next = || numbers.next().context("a full disk takes every write");
        let first = next()?;
        let outcome = write(first).await;
        ensure!(outcome.is_ok(), "refused with room: {outcome:?}");
        acknowledged.push(first);
        self.fill()?;
        while refusals < REFUSALS {
            let number = next()?;
            match write(number).await {
                Ok(()) => {
                    acknowledged.push(number);
                    // The database may have freed some space; fill that too.
                    self.fill()?;
                }
                Err(error) => {
                    ensure!(is_unavailable(&error), "not reported as unavailable: {error:?}");
                    refusals += 1;
                }
            }
        }
        self.free()?;
        let freed = Instant::now();
        for _ in 0..REFUSALS {
            let number = next()?;
            while let Err(error) = write(number).await {
                ensure!(freed.elapsed() < RECOVERY_TIMEOUT, "refused with room again: {error:?}");
                tokio::time::sleep(POLL_INTERVAL).await;
            }
            acknowledged.push(number);
        }
        Ok(acknowledged)
    }
}
