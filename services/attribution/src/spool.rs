//! Where events of the all-in-one wait while its store is away: a bounded file in the data
//! directory (docs/failures.md). JSON lines, on the disk before they are acknowledged.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context as _;

use crate::{domain::NewEvent, store::EventStore};

/// The most that waits, in bytes: tens of thousands of events.
pub(crate) const MAX_BYTES: u64 = 32 << 20;
/// Events of one transaction when they are brought in.
const DRAIN_BATCH_SIZE: usize = 500;

/// Events on the disk; every access is off the runtime's own threads.
pub struct Spool {
    files: Arc<Files>,
    /// Held while events are moved into the store: by one caller at a time.
    draining: tokio::sync::Mutex<()>,
}

/// The file that grows, and beside it the one that is being brought in.
struct Files {
    growing: PathBuf,
    leaving: PathBuf,
    /// Held by whoever touches the growing file.
    turn: Mutex<()>,
}

impl Spool {
    /// A spool in a data directory, with what the last process left there.
    pub fn open(data_dir: &Path) -> anyhow::Result<Spool> {
        fs::create_dir_all(data_dir).with_context(|| data_dir.display().to_string())?;
        let files = Files {
            growing: data_dir.join("attribution-spool.jsonl"),
            leaving: data_dir.join("attribution-spool.leaving.jsonl"),
            turn: Mutex::new(()),
        };
        Ok(Spool { files: Arc::new(files), draining: tokio::sync::Mutex::default() })
    }

    /// Keeps events; they are on the disk when this returns.
    ///
    /// Errors: for the log; the spool is full or the disk does not take it.
    pub async fn keep(&self, events: &[NewEvent]) -> anyhow::Result<()> {
        // Begins with a line end: what was cut off before stays a line of its own.
        let mut text = vec![b'\n'];
        for event in events {
            serde_json::to_writer(&mut text, event)?;
            text.push(b'\n');
        }
        self.blocking(move |files| files.append(&text)).await
    }

    /// Whether no event waits to be stored.
    pub fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// Size of the events that wait to be stored, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.bytes()
    }

    /// Moves the spooled events into the store and returns their number. Stops at the first error;
    /// events that are moved a second time count once.
    pub async fn drain_into(&self, store: &EventStore) -> anyhow::Result<usize> {
        let _draining = self.draining.lock().await;
        let mut moved = 0;
        while let Some(events) = self.blocking(Files::take).await? {
            for batch in events.chunks(DRAIN_BATCH_SIZE) {
                store.accept(batch).await?;
                moved += batch.len();
            }
            self.blocking(|files| Ok(fs::remove_file(&files.leaving)?)).await?;
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
        size(&self.growing) + size(&self.leaving)
    }

    fn append(&self, text: &[u8]) -> anyhow::Result<()> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = self.bytes() + text.len() as u64;
        anyhow::ensure!(bytes <= MAX_BYTES, "the spool is full: {bytes} bytes");
        append(&self.growing, text)
    }

    /// The events of the file that is being brought in, which is the growing one where there is no
    /// other; `None` where nothing waits.
    fn take(&self) -> anyhow::Result<Option<Vec<NewEvent>>> {
        if !self.leaving.exists() {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            match fs::rename(&self.growing, &self.leaving) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                renamed => renamed?,
            }
        }
        read(&self.leaving).map(Some)
    }
}

/// Drains the spool whenever the store answers, until the task is dropped.
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
        // The file's name must survive too.
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
            // Cut off by a crash before it was acknowledged.
            Err(error) => tracing::warn!(error = %error, "a spooled line is not whole"),
        }
    }
    Ok(events)
}
