//! Imports texts from files: Markdown with front matter, and JSON Lines.
//!
//! A file is imported completely or not at all. A refused file is reported with line and reason and
//! does not affect the others. Import is idempotent: importing the same files again changes and
//! purges nothing.

mod drafts;
mod file;
mod media;
mod text;
mod uploads;
mod walk;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use sahm_chassis::{Result, clock::Clock};
use tokio::sync::mpsc;

pub use drafts::run as run_drafts;
pub use file::{Format, read};
pub use media::FileSource;
pub(crate) use text::translated;
pub(crate) use uploads::read_all;
pub use uploads::{UploadedFiles, run_uploaded, uploaded_path};

use crate::{
    domain::{Contents, Entry, EntryKey},
    store::{ContentStore, ImportSummary},
};
use walk::SourceFile;

/// Maximum number of files read ahead of the store.
const MAX_READ_AHEAD: usize = 16;

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", .line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct Refusal {
    /// The line of the file, counted from 1, if known.
    pub line: Option<usize>,
    /// Message for the author.
    pub reason: String,
}

impl Refusal {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self { line: None, reason: reason.into() }
    }

    pub(crate) fn at(line: usize, reason: impl Into<String>) -> Self {
        Self { line: Some(line), reason: reason.into() }
    }

    /// Adds the number of lines before the refused part of a file.
    pub(crate) fn below(self, lines: usize) -> Self {
        Self { line: Some(self.line.unwrap_or(1) + lines), ..self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many more files will be read.
    Found(usize),
    Done,
}

#[derive(Debug, Default)]
pub struct Report {
    pub files: usize,
    /// Counts of the entries of accepted files.
    pub summary: ImportSummary,
    /// Number of drafts that were deleted because their folder no longer contains them.
    pub gone: usize,
    pub refused: Vec<(PathBuf, Refusal)>,
    /// Notes on content omitted from accepted files.
    pub notes: Vec<(PathBuf, String)>,
}

/// Imports the files under these paths.
///
/// # Errors
/// The store is unavailable; earlier files stay imported.
pub async fn run(
    store: &ContentStore,
    paths: &[PathBuf],
    clock: &Clock,
    progress: impl Fn(Progress),
) -> Result<Report> {
    let mut report = Report::default();
    let mut files = Vec::new();
    for path in paths {
        let (found, refused) = walk::files(path);
        files.extend(found);
        report.refused.extend(refused);
    }
    let mut summary = ImportSummary::default();
    read_files(
        files,
        &mut report,
        progress,
        |_| Ok(()),
        async |contents| {
            summary += store.put(&contents.entries, &contents.media, clock.now()).await?;
            Ok(())
        },
    )
    .await?;
    report.summary = summary;
    Ok(report)
}

/// Reads files ahead of the import of the accepted ones, and reports on all of them.
async fn read_files(
    files: Vec<SourceFile>,
    report: &mut Report,
    progress: impl Fn(Progress),
    accept: impl Fn(&Entry) -> Result<(), Refusal>,
    mut put: impl AsyncFnMut(Contents) -> Result<()>,
) -> Result<()> {
    report.files = files.len();
    progress(Progress::Found(files.len()));
    let (sender, mut contents) = mpsc::channel(MAX_READ_AHEAD);
    let reader = tokio::task::spawn_blocking(move || {
        for file in files {
            let contents = file.bytes().and_then(|bytes| read(&bytes, file.format, &file));
            if sender.blocking_send((file, contents)).is_err() {
                break;
            }
        }
    });
    let mut taken = HashMap::new();
    while let Some((file, contents)) = contents.recv().await {
        let path = file.path;
        let accepted = contents.and_then(|contents| {
            contents.entries.iter().try_for_each(&accept)?;
            refuse_duplicates(contents, &path, &mut taken)
        });
        match accepted {
            Ok(mut contents) => {
                let notes = std::mem::take(&mut contents.notes);
                put(contents).await?;
                report.notes.extend(notes.into_iter().map(|note| (path.clone(), note)));
            }
            Err(refusal) => report.refused.push((path, refusal)),
        }
        progress(Progress::Done);
    }
    reader.await.map_err(sahm_chassis::Error::internal)?;
    Ok(())
}

/// Refuses a file with an entry that another file of the same import also contains: the last one
/// would win, and every import would change the entry again.
fn refuse_duplicates(
    contents: Contents,
    path: &Path,
    taken: &mut HashMap<EntryKey, PathBuf>,
) -> Result<Contents, Refusal> {
    for entry in &contents.entries {
        if let Some(first) = taken.get(&entry.key()) {
            let reason = format!("{} came with {} already", entry.key(), first.display());
            return Err(Refusal::new(reason));
        }
    }
    taken.extend(contents.entries.iter().map(|entry| (entry.key(), path.to_owned())));
    Ok(contents)
}
