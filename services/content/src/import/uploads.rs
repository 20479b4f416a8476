//! Imports uploaded files.
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Component, Path, PathBuf},
};

use sahm_chassis::{Error, Result, clock::Clock};

use super::{FileSource, Format, Refusal, Report, read, refuse_duplicates};
use crate::{domain::Contents, store::ContentStore};

/// Uploaded files by relative path.
pub type UploadedFiles = BTreeMap<PathBuf, Vec<u8>>;

/// Parses a normalised relative path without control characters; `None` for any other text.
pub fn uploaded_path(text: &str) -> Option<PathBuf> {
    let path = resolved(Path::new(""), text)?;
    let is_plain = !text.contains(|c: char| c == '\\' || c.is_control());
    (is_plain && path.as_os_str() == text).then_some(path)
}

/// Imports the text files among uploaded ones.
///
/// # Errors
/// The store is unavailable; earlier files stay imported.
pub async fn run_uploaded(
    store: &ContentStore,
    files: UploadedFiles,
    clock: &Clock,
) -> Result<Report> {
    let readings = tokio::task::spawn_blocking(move || read_all(&files)).await;
    let readings = readings.map_err(Error::internal)?;
    let mut report = Report { files: readings.len(), ..Report::default() };
    let mut taken = HashMap::new();
    for (path, contents) in readings {
        match contents.and_then(|contents| refuse_duplicates(contents, &path, &mut taken)) {
            Ok(contents) => {
                report.summary +=
                    store.put(&contents.entries, &contents.media, clock.now()).await?;
                report.notes.extend(contents.notes.into_iter().map(|note| (path.clone(), note)));
            }
            Err(refusal) => report.refused.push((path, refusal)),
        }
    }
    Ok(report)
}

/// The contents of each text file. Refuses other files that no text references.
pub(crate) fn read_all(files: &UploadedFiles) -> Vec<(PathBuf, Result<Contents, Refusal>)> {
    let named = RefCell::default();
    let texts = files.iter().filter_map(|(path, bytes)| Some((path, bytes, Format::of(path)?)));
    let reading = |(path, bytes, format): (&PathBuf, &Vec<u8>, Format)| {
        let folder = path.parent().unwrap_or(Path::new(""));
        (path.clone(), read(bytes, format, &UploadedFolder { files, folder, named: &named }))
    };
    let mut readings: Vec<_> = texts.map(reading).collect();
    let named = named.into_inner();
    let unused = files.keys().filter(|path| Format::of(path).is_none() && !named.contains(*path));
    let refusal = || Refusal::new("is neither .md nor .jsonl, and no text names it");
    readings.extend(unused.map(|path| (path.clone(), Err(refusal()))));
    readings
}

/// The files in the folder of an uploaded text.
struct UploadedFolder<'a> {
    files: &'a UploadedFiles,
    folder: &'a Path,
    /// The files that texts reference.
    named: &'a RefCell<BTreeSet<PathBuf>>,
}

impl FileSource for UploadedFolder<'_> {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Refusal> {
        let path = resolved(self.folder, path);
        let found = path.and_then(|path| self.files.get_key_value(&path));
        self.named.borrow_mut().extend(found.map(|(path, _)| path.clone()));
        Ok(found.map(|(_, bytes)| bytes.clone()))
    }
}

/// Resolves a path against a folder; `None` if it leads outside the upload.
fn resolved(folder: &Path, path: &str) -> Option<PathBuf> {
    let mut resolved = folder.to_owned();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => resolved.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !resolved.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!resolved.as_os_str().is_empty()).then_some(resolved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uploaded_path_accepts_relative_paths_only() {
        for (text, fits) in [
            ("a.md", true),
            ("news/a.md", true),
            ("", false),
            (".", false),
            ("/a.md", false),
            ("../a.md", false),
            ("a/../b.md", false),
            ("a/./b.md", false),
            ("a//b.md", false),
            ("a\\b.md", false),
            ("a.jsonl\0", false),
            ("a\n.md", false),
        ] {
            assert_eq!(uploaded_path(text).is_some(), fits, "{text}");
        }
    }

    #[test]
    fn resolved_path_stays_inside_the_upload() {
        for (path, found) in [
            ("b.svg", Some("news/b.svg")),
            ("./b.svg", Some("news/b.svg")),
            ("../art/b.svg", Some("art/b.svg")),
            ("../../b.svg", None),
            ("/b.svg", None),
        ] {
            assert_eq!(
                resolved(Path::new("news"), path).as_deref(),
                found.map(Path::new),
                "{path}"
            );
        }
    }
}
