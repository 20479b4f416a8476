//! JSON files in the data directory, from which a gateway restores its last known state at startup.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Serialize, de::DeserializeOwned};

#[derive(Clone, Debug)]
pub(crate) struct DataFile {
    path: PathBuf,
    /// The content that a background write has not yet taken: writes may run in any order, so each writes the newest.
    newest: Arc<Mutex<Option<Vec<u8>>>>,
    writing: Arc<Mutex<()>>,
}

impl DataFile {
    pub(crate) fn new(data_dir: &Path, name: &str) -> Self {
        let path = data_dir.join("gateway").join(name);
        Self { path, newest: Arc::default(), writing: Arc::default() }
    }

    /// The last content that this or an earlier run wrote, if it is readable.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&fs::read(&self.path).ok()?).ok()
    }

    /// Writes atomically: a reader never sees half a file.
    pub(crate) fn write(&self, json: Vec<u8>) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let draft = self.path.with_extension(format!("json.{}", process::id()));
        fs::write(&draft, json)?;
        fs::rename(draft, &self.path)
    }

    /// Writes on a blocking thread, and logs a failure. The last call's content remains.
    pub(crate) fn write_in_background(&self, content: &impl Serialize) {
        match serde_json::to_vec(content) {
            Ok(json) => *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(json),
            Err(error) => return self.log_unwritten(&error),
        }
        let file = self.clone();
        tokio::task::spawn_blocking(move || {
            let _writing = file.writing.lock().unwrap_or_else(PoisonError::into_inner);
            let newest = file.newest.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(Err(error)) = newest.map(|json| file.write(json)) {
                file.log_unwritten(&error);
            }
        });
    }

    fn log_unwritten(&self, error: &dyn std::error::Error) {
        tracing::warn!(%error, file = %self.path.display(), "file not written");
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn last_content_remains_whichever_write_runs_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = DataFile::new(folder.path(), "count.json");
        // The first two writes wait for the third.
        let writing = file.writing.lock().unwrap();
        (1..=3).for_each(|count| file.write_in_background(&count));
        drop(writing);
        while file.read::<u8>().is_none() {
            tokio::task::yield_now().await;
        }
        assert_eq!(file.read(), Some(3));
    }
}
