//! Finds the files to import and the pictures beside them.
use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    Refusal,
    file::Format,
    media::{FileSource, MAX_PICTURE},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceFile {
    /// The path relative to the path that the author specified.
    pub path: PathBuf,
    /// Detected from the file's name.
    pub format: Format,
    /// The folder that its pictures must be in.
    pub root: PathBuf,
}

/// The files at a path, ordered by name: the path itself, or all files of a folder at any depth.
/// Names with a leading dot and files of other formats are skipped.
///
/// Files that cannot be read are returned with the reason.
pub(super) fn files(path: &Path) -> (Vec<SourceFile>, Vec<(PathBuf, Refusal)>) {
    let mut found = Vec::new();
    let mut refused = Vec::new();
    let root = match path.canonicalize() {
        Ok(root) => root,
        Err(error) => return (found, vec![(path.to_owned(), unreadable(&error))]),
    };
    if root.is_dir() {
        folder(path, &root, &mut found, &mut refused);
    } else if let Some(format) = Format::of(path) {
        let root = root.parent().unwrap_or(&root).to_owned();
        found.push(SourceFile { path: path.to_owned(), format, root });
    } else {
        refused.push((path.to_owned(), Refusal::new("is neither .md nor .jsonl")));
    }
    (found, refused)
}

fn folder(
    path: &Path,
    root: &Path,
    found: &mut Vec<SourceFile>,
    refused: &mut Vec<(PathBuf, Refusal)>,
) {
    let entries = fs::read_dir(path).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return refused.push((path.to_owned(), unreadable(&error))),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        // Symbolic links to folders are not followed, because they could form cycles.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folder(&path, root, found, refused);
        } else if let Some(format) = Format::of(&path).filter(|_| path.is_file()) {
            found.push(SourceFile { path, format, root: root.to_owned() });
        }
    }
}

impl SourceFile {
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Refusal> {
        let size = fs::metadata(&self.path).map_err(|error| unreadable(&error))?.len();
        if size > self.format.max() as u64 {
            let limit = self.format.max() >> 20;
            return Err(Refusal::new(format!("the file is larger than {limit} MB")));
        }
        fs::read(&self.path).map_err(|error| unreadable(&error))
    }
}

impl FileSource for SourceFile {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Refusal> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let path = match folder.join(path).canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found.map_err(|error| unreadable(&error))?,
        };
        if !path.starts_with(&self.root) {
            return Err(Refusal::new("leaves the imported folder"));
        }
        let metadata = fs::metadata(&path).map_err(|error| unreadable(&error))?;
        if !metadata.is_file() {
            return Err(Refusal::new("is no file"));
        }
        if metadata.len() > MAX_PICTURE as u64 {
            return Err(Refusal::new("is larger than 2 MB"));
        }
        fs::read(&path).map(Some).map_err(|error| unreadable(&error))
    }
}

fn unreadable(error: &io::Error) -> Refusal {
    Refusal::new(match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be read".to_owned(),
        _ => format!("cannot be read: {error}"),
    })
}
