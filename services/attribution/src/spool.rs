//! The spool of the all-in-one: a bounded file in the data directory that keeps events while the
//! store is unavailable (docs/failures.md). Its JSON lines are on disk before they are
//! acknowledged.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context as _;

use crate::{domain::NewEvent, store::EventStore};

/// Maximum size in bytes: tens of thousands of events.
pub(crate) const MAX_BYTES: u64 = 32 << 20;
/// Number of events of one transaction when the spool is drained.
const DRAIN_BATCH_SIZE: usize = 500;

/// Events on disk. File access runs on the blocking thread pool.
pub struct Spool {
    files: Arc<Files>,
    /// Held while events are moved into the store, by one caller at a time.
    draining: tokio::sync::Mutex<()>,
}

/// The file that is appended to, and the one that is being drained.
struct Files {
    append_path: PathBuf,
    drain_path: PathBuf,
    /// Held during each access to the file that is appended to.
    append_lock: Mutex<()>,
}

impl Spool {
    /// Opens the spool in a data directory with the events that the last process left.
    pub fn open(data_dir: &Path) -> anyhow::Result<Spool> {
        fs::create_dir_all(data_dir).with_context(|| data_dir.display().to_string())?;
        let files = Files {
            append_path: data_dir.join("attribution-spool.jsonl"),
            drain_path: data_dir.join("attribution-spool.leaving.jsonl"),
            append_lock: Mutex::new(()),
        };
        Ok(Spool { files: Arc::new(files), draining: tokio::sync::Mutex::default() })
    }

    /// Spools events; they are on disk when this returns.
    ///
    /// # Errors
    /// The spool is full or the write fails. The error is for the log.
    pub async fn append(&self, events: &[NewEvent]) -> anyhow::Result<()> {
        // The leading newline separates the text from a truncated line.
        let mut text = vec![b'\n'];
        for event in events {
            serde_json::to_writer(&mut text, event)?;
            text.push(b'\n');
        }
        self.blocking(move |files| files.append(&text)).await
    }

    /// Whether the spool is empty.
    pub fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// Size of the spooled events in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.bytes()
    }

    /// Moves the spooled events into the store and returns their number. Stops at the first error;
    /// events that are moved twice count once.
    pub async fn drain_into(&self, store: &EventStore) -> anyhow::Result<usize> {
        let _draining = self.draining.lock().await;
        let mut moved = 0;
        while let Some(events) = self.blocking(Files::take).await? {
            for batch in events.chunks(DRAIN_BATCH_SIZE) {
                store.accept(batch).await?;
                moved += batch.len();
            }
            self.blocking(|files| Ok(fs::remove_file(&files.drain_path)?)).await?;
        }
        Ok(moved)
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Files) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let files = self.files.clone();
        tokio::task::spawn_blocking(move || work(&files)).await?
    }
}

impl Files {
    fn bytes(&self) -> u64 {
        size(&self.append_path) + size(&self.drain_path)
    }

    fn append(&self, text: &[u8]) -> anyhow::Result<()> {
        let _locked = self.append_lock.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = self.bytes() + text.len() as u64;
        anyhow::ensure!(bytes <= MAX_BYTES, "the spool is full: {bytes} bytes");
        append(&self.append_path, text)
    }

    /// The events of the file that is being drained, otherwise of the one that is appended to;
    /// `None` if the spool is empty.
    fn take(&self) -> anyhow::Result<Option<Vec<NewEvent>>> {
        if !self.drain_path.exists() {
            let _locked = self.append_lock.lock().unwrap_or_else(PoisonError::into_inner);
            match fs::rename(&self.append_path, &self.drain_path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                renamed => renamed?,
            }
        }
        read(&self.drain_path).map(Some)
    }
}

/// Drains the spool whenever the store is available, until the task is dropped.
pub async fn drain_periodically(spool: Arc<Spool>, store: EventStore) {
    let mut beat = tokio::time::interval(std::time::Duration::from_secs(1));
    loop {
        beat.tick().await;
        let is_empty = spool.blocking(|files| Ok(files.bytes() == 0)).await.unwrap_or(true);
        if is_empty || store.inner().ping().await.is_err() {
            continue;
        }
        match spool.drain_into(&store).await {
            Ok(events) => tracing::info!(events, "spooled events brought in"),
            Err(error) => tracing::warn!(error = format!("{error:#}"), "spool waits"),
        }
    }
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

fn append(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    let is_new = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    file.write_all(text)?;
    file.sync_data()?;
    if is_new && let Some(folder) = path.parent() {
        // The directory entry must be durable too.
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Vec<NewEvent>> {
    let text = fs::read(path)?;
    let mut events = Vec::new();
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(event) => events.push(event),
            // Truncated by a crash before it was acknowledged.
            Err(error) => tracing::warn!(error = %error, "a spooled line is not whole"),
        }
    }
    Ok(events)
}
