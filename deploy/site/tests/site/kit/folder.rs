//! A temporary folder that is removed even if the test process is killed.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
};

/// Removed when dropped, or by a shell whose standard input closes with this process: a site that all tests share is
/// never dropped.
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

    /// Writes a file and creates its parent folders.
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
