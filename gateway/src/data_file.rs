//! JSON files in the data directory, from which a gateway restores its last known state at startup.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
};

use serde::{Serialize, de::DeserializeOwned};

#[derive(Clone, Debug)]
pub(crate) struct DataFile(PathBuf);

impl DataFile {
    pub(crate) fn new(data_dir: &Path, name: &str) -> Self {
        Self(data_dir.join("gateway").join(name))
    }

    /// The last content that this or an earlier run wrote, if it is readable.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&fs::read(&self.0).ok()?).ok()
    }

    /// Writes atomically: a reader never sees half a file.
    pub(crate) fn write(&self, content: &impl Serialize) -> io::Result<()> {
        let folder = self.0.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let draft = self.0.with_extension(format!("json.{}", process::id()));
        fs::write(&draft, serde_json::to_vec(content)?)?;
        fs::rename(draft, &self.0)
    }

    /// Writes on a blocking thread, and logs a failure.
    pub(crate) fn write_in_background(&self, content: impl Serialize + Send + 'static) {
        let file = self.clone();
        tokio::task::spawn_blocking(move || {
            if let Err(error) = file.write(&content) {
                tracing::warn!(%error, file = %file.0.display(), "file not written");
            }
        });
    }
}
