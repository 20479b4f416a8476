//! Files of the build, in memory: `/assets/…` and files at the root of the site.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
    sync::Arc,
};

use anyhow::Context as _;
use bytes::Bytes;

use super::{file_path, response::File};

pub(super) type FileMap = HashMap<String, Arc<File>>;

/// Reads the files of a directory with their compressed variants, `.br` and `.gz`.
///
/// # Errors
/// The directory or a file is unreadable; the message names it.
pub(super) fn read(folder: &Path) -> anyhow::Result<FileMap> {
    let mut contents = BTreeMap::new();
    let unreadable = || format!("cannot read {}", folder.display());
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        // Follows symbolic links, because deployments mount files as symbolic links.
        if file_path::is_asset(&name) && fs::metadata(entry.path()).is_ok_and(|data| data.is_file())
        {
            let path = entry.path();
            let body =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            contents.insert(name, Bytes::from(body));
        }
    }
    let is_variant = |name: &str| {
        let base = name.strip_suffix(".br").or_else(|| name.strip_suffix(".gz"));
        base.is_some_and(|base| contents.contains_key(base))
    };
    let files = contents.iter().filter(|(name, _)| !is_variant(name)).map(|(name, body)| {
        let mut file = File::new(name, body.clone());
        file.br = contents.get(&format!("{name}.br")).cloned();
        file.gzip = contents.get(&format!("{name}.gz")).cloned();
        (name.clone(), Arc::new(file))
    });
    Ok(files.collect())
}

/// Reads the files at the root of the site, such as icons, except HTML.
pub(super) fn read_root(folder: &Path) -> anyhow::Result<FileMap> {
    let mut files = read(folder)?;
    files.retain(|name, _| !name.ends_with(".html"));
    Ok(files)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn compressed_variants_are_read_with_their_file() {
        let folder = tempfile::tempdir().unwrap();
        for (name, body) in [
            ("a-1.js", "let a"),
            ("a-1.js.br", "B"),
            ("a-1.js.gz", "G"),
            ("lone.gz", "x"),
            (".hidden", "x"),
            ("index.html", "x"),
        ] {
            fs::write(folder.path().join(name), body).unwrap();
        }
        fs::create_dir(folder.path().join("assets")).unwrap();
        let files = read_root(folder.path()).unwrap();
        let mut names = files.keys().map(String::as_str).collect::<Vec<_>>();
        names.sort_unstable();
        assert_eq!(names, ["a-1.js", "lone.gz"]);
        assert_eq!(files["a-1.js"].br.as_deref(), Some(&b"B"[..]));
        assert_eq!(files["a-1.js"].gzip.as_deref(), Some(&b"G"[..]));
        assert!(read(&folder.path().join("missing")).is_err());
    }
}
