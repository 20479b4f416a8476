//! The last known configuration, in memory and on disk: pages can be built while the config service is unavailable,
//! also by a gateway that has just started.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use arc_swap::ArcSwapOption;
use sahm_proto::{
    config::v1::{ConfigItem, Menu, StoreLink},
    content::v1::CollegeNavigationVo,
};
use serde::{Deserialize, Serialize};

/// The layout data of every page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ConfigSnapshot {
    /// The menu.
    pub menu: Menu,
    /// Contact items.
    pub items: Vec<ConfigItem>,
    /// Links to the app stores.
    pub stores: Vec<StoreLink>,
    /// Addresses where accounts are opened and managed.
    #[serde(default)]
    pub addresses: Vec<ConfigItem>,
    /// Categories and courses of the education section, for the menu.
    #[serde(default)]
    pub college: Vec<CollegeNavigationVo>,
}

/// Holds the newest snapshot.
#[derive(Clone)]
pub(crate) struct SnapshotStore {
    last: Arc<ArcSwapOption<ConfigSnapshot>>,
    /// Whether `last` was loaded by this process.
    is_loaded: Arc<AtomicBool>,
    file: Arc<PathBuf>,
}

impl SnapshotStore {
    /// Opens the store and reads the snapshot of an earlier run in `data_dir`, if there is one.
    pub(crate) fn open(data_dir: &Path) -> Self {
        let file = data_dir.join("gateway").join("config.json");
        let last = fs::read(&file).ok().and_then(|json| serde_json::from_slice(&json).ok());
        let last = Arc::new(ArcSwapOption::from_pointee(last));
        Self { last, is_loaded: Arc::default(), file: Arc::new(file) }
    }

    /// The newest snapshot.
    pub(crate) fn latest(&self) -> Option<ConfigSnapshot> {
        self.last.load().as_deref().cloned()
    }

    /// The newest snapshot, where this process loaded it.
    pub(crate) fn loaded(&self) -> Option<Arc<ConfigSnapshot>> {
        self.is_loaded.load(Ordering::Acquire).then(|| self.last.load_full()).flatten()
    }

    /// Saves a snapshot; an unchanged one costs no disk access.
    pub(crate) fn save(&self, snapshot: &ConfigSnapshot) {
        if self.last.load().as_deref() == Some(snapshot) {
            self.is_loaded.store(true, Ordering::Release);
            return;
        }
        let snapshot = Arc::new(snapshot.clone());
        self.last.store(Some(snapshot.clone()));
        self.is_loaded.store(true, Ordering::Release);
        let file = self.file.clone();
        tokio::task::spawn_blocking(move || {
            if let Err(error) = write(&file, &snapshot) {
                tracing::warn!(%error, file = %file.display(), "configuration not kept on disk");
            }
        });
    }
}

/// Writes atomically: a reader never sees half a file.
fn write(file: &Path, snapshot: &ConfigSnapshot) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!("config.json.{}", std::process::id()));
    fs::write(&draft, serde_json::to_vec(snapshot)?)?;
    fs::rename(draft, file)
}
