//! A file system of a few megabytes, to see what a service does when its disk is full.
use std::{
    fs::{self, File},
    io::{BufRead, BufReader, ErrorKind, Write},
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use tempfile::TempDir;

/// Mounts, and unmounts once standard input closes: also when the test is killed.
const HOLDER: &str = r#"
mount -t tmpfs -o "size=$1,mode=0777" sahm-test "$2" || exit 1
echo mounted
cat >/dev/null
umount -l "$2" && rmdir "$2"
"#;
/// Refused writes that prove that the disk is full: the second failed commit of a connection is
/// where writes began to be lost.
const REFUSALS: u32 = 3;
/// Writes that may still fit into the room that the database has made before.
const MAX_WRITES: u32 = 20_000;
/// How long writes may fail once there is room again.
const RECOVERY_LIMIT: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

/// A mounted tmpfs; it goes when this is dropped.
///
/// Mounting needs root, or `sudo` without a password; a test that has neither fails.
#[derive(Debug)]
pub struct SmallDisk {
    // Ends before its folder goes.
    holder: Child,
    folder: TempDir,
}

impl SmallDisk {
    /// Mounts a file system of so many bytes.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn mount(bytes: u64) -> anyhow::Result<SmallDisk> {
        let folder = tempfile::Builder::new().prefix("sahm-disk-").tempdir()?;
        let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
        let shell = ["sudo", "-n", "sh", "-c", HOLDER, "sh"];
        let mut command = shell.iter().skip(if is_root { 2 } else { 0 });
        let mut holder = Command::new(command.next().context("no command")?)
            .args(command)
            .arg(bytes.to_string())
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .context("cannot run mount")?;
        let mut line = String::new();
        if let Some(output) = holder.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let disk = SmallDisk { holder, folder };
        ensure!(line.trim() == "mounted", "cannot mount a tmpfs: run as root or with sudo");
        Ok(disk)
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Takes all the room that is left.
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

    /// Gives the room back that [`SmallDisk::fill`] took.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn free(&self) -> anyhow::Result<()> {
        Ok(fs::remove_file(self.filler())?)
    }

    /// Writes numbered rows while the disk is filled and freed, and gives the numbers that were
    /// acknowledged, in order: what a reader must find afterwards, and nothing else.
    ///
    /// # Errors
    /// A write is refused while there is room, or with an error that `is_unavailable` does not
    /// accept; writes are not refused on a full disk, or still are when there is room again.
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
                    // What the database gave back is taken too.
                    self.fill()?;
                }
                Err(error) => {
                    ensure!(is_unavailable(&error), "not said to be unavailable: {error:?}");
                    refusals += 1;
                }
            }
        }
        self.free()?;
        let freed = Instant::now();
        for _ in 0..REFUSALS {
            let number = next()?;
            while let Err(error) = write(number).await {
                ensure!(freed.elapsed() < RECOVERY_LIMIT, "refused with room again: {error:?}");
                tokio::time::sleep(PAUSE).await;
            }
            acknowledged.push(number);
        }
        Ok(acknowledged)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}
