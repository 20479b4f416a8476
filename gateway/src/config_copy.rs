//! The configuration as last seen, in memory and on disk: a page can be made while its service is
//! away, also by a gateway that has just started.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use arc_swap::ArcSwapOption;
use sahm_proto::{
    config::v1::{ConfigItem, Menu, StoreLink},
    content::v1::CollegeNavigationVo,
};
use serde::{Deserialize, Serialize};

/// What the chrome of every page is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ConfigSnapshot {
    /// Navigation.
    pub menu: Menu,
    /// Contact items.
    pub items: Vec<ConfigItem>,
    /// Where the app is to be had.
    pub stores: Vec<StoreLink>,
    /// Where accounts are opened and kept.
    #[serde(default)]
    pub addresses: Vec<ConfigItem>,
    /// Categories and courses of the college, which stand in the navigation too.
    #[serde(default)]
    pub college: Vec<CollegeNavigationVo>,
}

/// The newest snapshot that was seen.
#[derive(Clone)]
pub(crate) struct ConfigCopy {
    last: Arc<ArcSwapOption<ConfigSnapshot>>,
    file: Arc<PathBuf>,
}

impl ConfigCopy {
    /// Reads what an earlier run left in `data_dir`, if it did.
    pub(crate) fn open(data_dir: &Path) -> Self {
        let file = data_dir.join("gateway").join("config.json");
        let last = fs::read(&file).ok().and_then(|json| serde_json::from_slice(&json).ok());
        Self { last: Arc::new(ArcSwapOption::from_pointee(last)), file: Arc::new(file) }
    }

    /// The newest snapshot.
    pub(crate) fn last(&self) -> Option<ConfigSnapshot> {
        self.last.load().as_deref().cloned()
    }

    /// Keeps a snapshot; one that says nothing new costs no disk access.
    pub(crate) fn keep(&self, snapshot: &ConfigSnapshot) {
        if self.last.load().as_deref() == Some(snapshot) {
            return;
        }
        let snapshot = Arc::new(snapshot.clone());
        self.last.store(Some(snapshot.clone()));
        let file = self.file.clone();
        tokio::task::spawn_blocking(move || {
            if let Err(error) = write(&file, &snapshot) {
                tracing::warn!(%error, file = %file.display(), "configuration not kept on disk");
            }
        });
    }
}

/// Whole or not at all: a reader never sees half a file.
fn write(file: &Path, snapshot: &ConfigSnapshot) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!("config.json.{}", std::process::id()));
    fs::write(&draft, serde_json::to_vec(snapshot)?)?;
    fs::rename(draft, file)
}
