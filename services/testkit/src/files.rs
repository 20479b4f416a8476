//! Copies of the files of a test.

use std::{fs, io, path::Path};

/// Copies all files of a folder without subfolders into another folder, and creates that if it is missing.
///
/// # Errors
/// If a file or folder cannot be read or written.
pub fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        fs::copy(file.path(), to.join(file.file_name()))?;
    }
    Ok(())
}
