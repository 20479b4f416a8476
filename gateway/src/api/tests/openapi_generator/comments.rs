//! The comments of the protos, by declaration.

use std::{cell::RefCell, collections::HashMap};

use prost_reflect::FileDescriptor;

/// Comments of the files that were requested so far.
#[derive(Default)]
pub(super) struct Comments {
    files: RefCell<HashMap<String, HashMap<Vec<i32>, String>>>,
}

impl Comments {
    /// The leading comment of a declaration, by its path in the file; empty when it has none.
    pub(super) fn of(&self, file: &FileDescriptor, path: &[i32]) -> String {
        let mut files = self.files.borrow_mut();
        let known = files.entry(file.name().to_owned()).or_insert_with(|| read(file));
        known.get(path).cloned().unwrap_or_default()
    }
}

fn read(file: &FileDescriptor) -> HashMap<Vec<i32>, String> {
    let locations = file.file_descriptor_proto().source_code_info.iter();
    let locations = locations.flat_map(|info| &info.location);
    locations
        .filter_map(|location| {
            let text = location.leading_comments.as_deref()?;
            let lines = text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
            Some((location.path.clone(), lines.collect::<Vec<_>>().join("\n").trim().to_owned()))
        })
        .collect()
}
