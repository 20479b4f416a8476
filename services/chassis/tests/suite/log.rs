//! Captures log lines.
use std::{
    fs,
    sync::{LazyLock, Mutex},
};

use tempfile::NamedTempFile;
use tracing::{Dispatch, subscriber::DefaultGuard};

/// A second dispatcher. With a single one, tracing disables a call site for all threads if it is
/// first reached by a thread without a subscriber, as those of the other tests are.
static SECOND_DISPATCHER: LazyLock<Dispatch> =
    LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

/// The lines that this thread logs while it exists.
pub(crate) struct CapturedLog {
    file: NamedTempFile,
    _subscriber: DefaultGuard,
}

impl CapturedLog {
    pub(crate) fn start() -> CapturedLog {
        LazyLock::force(&SECOND_DISPATCHER);
        let file = NamedTempFile::new().unwrap();
        let writer = Mutex::new(fs::File::options().append(true).open(file.path()).unwrap());
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(writer).finish();
        CapturedLog { file, _subscriber: tracing::subscriber::set_default(subscriber) }
    }

    /// Returns and removes the lines so far.
    pub(crate) fn take(&self) -> String {
        let lines = fs::read_to_string(self.file.path()).unwrap();
        self.file.as_file().set_len(0).unwrap();
        lines
    }
}
