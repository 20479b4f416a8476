//! Imports folders as drafts. A folder contains all drafts of its type.
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use sahm_chassis::{Result, clock::Clock};

use super::{Progress, Refusal, Report, read_files, walk};
use crate::{
    domain::{DraftType, Entry, MAX_DRAFTS},
    store::ContentStore,
};

/// Imports folders; a folder's name is the type of its drafts. Drafts that a folder no longer
/// contains are deleted, unless one of its files was refused.
///
/// # Errors
/// The store is unavailable; earlier folders stay imported.
pub async fn run(
    store: &ContentStore,
    folders: &[PathBuf],
    clock: &Clock,
    progress: impl Fn(Progress),
) -> Result<Report> {
    let mut all = Report::default();
    let mut types = HashSet::new();
    for folder in folders {
        let draft_type = match type_of(folder) {
            Ok(found) => found,
            Err(refusal) => {
                all.refused.push((folder.clone(), refusal));
                continue;
            }
        };
        if !types.insert(draft_type.clone()) {
            let reason = format!("another folder is the type {} already", draft_type.as_str());
            all.refused.push((folder.clone(), Refusal::new(reason)));
            continue;
        }
        let (files, refused) = walk::files(folder);
        let mut report = Report { refused, ..Report::default() };
        let (mut drafts, mut media) = (Vec::new(), Vec::new());
        read_files(files, &mut report, &progress, has_page, async |contents| {
            drafts.extend(contents.entries);
            media.extend(contents.media);
            Ok(())
        })
        .await?;
        if drafts.len() > MAX_DRAFTS {
            let reason = format!("holds more than {MAX_DRAFTS} drafts");
            report.refused.push((folder.clone(), Refusal::new(reason)));
        } else {
            let whole = report.refused.is_empty();
            let put = store.put_drafts(&draft_type, &drafts, &media, whole, clock.now()).await?;
            (report.summary, report.gone) = put;
        }
        all.files += report.files;
        all.summary += report.summary;
        all.gone += report.gone;
        all.refused.extend(report.refused);
        all.notes.extend(report.notes);
    }
    Ok(all)
}

fn type_of(folder: &Path) -> Result<DraftType, Refusal> {
    if !folder.is_dir() {
        return Err(Refusal::new("is no folder: drafts are imported by folder"));
    }
    let real = folder.canonicalize().unwrap_or_default();
    let name = folder.file_name().or(real.file_name()).and_then(|name| name.to_str());
    name.and_then(DraftType::parse).ok_or_else(|| {
        Refusal::new("cannot be a type: its name is not 1 to 80 of a-z, 0-9 and hyphen")
    })
}

/// Refuses entries without a page of their own.
fn has_page(entry: &Entry) -> Result<(), Refusal> {
    let kind = entry.kind();
    if kind.page_path().is_some() {
        return Ok(());
    }
    let kind = kind.as_str();
    Err(Refusal::new(format!("kind: {kind:?} has no page of its own and cannot be a draft")))
}
