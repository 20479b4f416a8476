//! Two copies of the built frontend: one unchanged, and one that simulates another release, with another build id and
//! other asset names.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use sahm_gateway::site::Site;

use crate::kit::{Folder, site_dir};

/// An attribute in the HTML of every page, and its name in the other build.
const MARKS: [&str; 2] = ["data-chrome", "data-emorhc"];

/// Two builds of the same site.
#[derive(Debug)]
pub(crate) struct Builds {
    /// `SAHM_SITE_DIR` of each.
    pub(crate) folders: [PathBuf; 2],
    /// Their build ids.
    pub(crate) ids: [String; 2],
}

impl Builds {
    /// Copies the builds into `folder`.
    pub(crate) fn copy(folder: &Folder) -> Self {
        let folders = ["build-a", "build-b"].map(|name| folder.join(name));
        let plain = files(&site_dir());
        let id = id(&plain);
        let other: String = id.chars().rev().collect();
        assert_ne!(id, other, "the build's id reads the same backwards");
        let mut names =
            vec![(id.clone(), other.clone()), (MARKS[0].to_owned(), MARKS[1].to_owned())];
        names.extend(plain.keys().filter_map(|path| renamed(path)));
        for (path, bytes) in &plain {
            write(&folders[0].join(path), bytes);
            let (path, bytes) = rewritten(path, bytes, &names);
            write(&folders[1].join(path), &bytes);
        }
        Self { folders, ids: [id, other] }
    }

    /// The metadata of each build, by build id.
    pub(crate) fn sites(&self) -> BTreeMap<String, Site> {
        let sites = self.folders.iter().map(|folder| Site::load(folder).unwrap());
        sites.map(|site| (site.build.clone(), site)).collect()
    }

    /// Each build's id, and a text that only its pages contain.
    pub(crate) fn marks(&self) -> [(String, &'static str); 2] {
        let [one, other] = self.ids.clone();
        [(one, MARKS[0]), (other, MARKS[1])]
    }
}

/// All files by their paths in the folder, without precompressed variants.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let is_compressed = path.extension().is_some_and(|it| it == "br" || it == "gz");
            if path.is_dir() {
                folders.push(path);
            } else if !is_compressed {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

fn id(files: &BTreeMap<String, Vec<u8>>) -> String {
    let site: serde_json::Value = serde_json::from_slice(&files["site.json"]).unwrap();
    site["build"].as_str().unwrap().to_owned()
}

/// An asset's file name, and that of the other build: `{name}-{hash}.{ext}` with the hash reversed.
fn renamed(path: &str) -> Option<(String, String)> {
    let file = path.strip_prefix("client/assets/")?;
    let (stem, extension) = file.rsplit_once('.')?;
    let (name, hash) = stem.rsplit_once('-')?;
    let other: String = hash.chars().rev().collect();
    Some((file.to_owned(), format!("{name}-{other}.{extension}")))
}

/// A file with the other build's names in its path and, if it is text, in its content.
fn rewritten(path: &str, bytes: &[u8], names: &[(String, String)]) -> (String, Vec<u8>) {
    let replace = |text: &str| {
        names.iter().fold(text.to_owned(), |text, (name, other)| text.replace(name, other))
    };
    let text = std::str::from_utf8(bytes).ok().map(replace);
    (replace(path), text.map_or_else(|| bytes.to_owned(), String::into_bytes))
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}
