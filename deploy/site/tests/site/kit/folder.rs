//! A temporary folder that goes with the test process, even when that is killed.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
};

/// Removed when dropped, or by a shell once our end of its input is closed: a site that is shared
/// by all tests is never dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    remover: Child,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let path = tempfile::Builder::new().prefix("sahm-site-").tempdir().unwrap().keep();
        let remover = Command::new("sh")
            .args(["-c", "cat >/dev/null; rm -rf \"$1\"", "sh"])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        Self { path, remover }
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, with the folders that it needs.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(self.remover.stdin.take());
        let _ = self.remover.wait();
    }
}
