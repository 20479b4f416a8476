//! The last known configuration, in memory and on disk, so that pages can be built while the config service is
//! unavailable, also by a gateway that has just started.

use std::{
    path::Path,
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

use crate::data_file::DataFile;

/// The source data of every page's layout data. Clones share both parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ConfigSnapshot {
    #[serde(flatten)]
    pub configuration: Arc<Configuration>,
    /// Categories and courses of the education section, for the menu.
    #[serde(default)]
    pub college: Arc<Vec<CollegeNavigationVo>>,
}

/// The part that config stores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Configuration {
    pub menu: Menu,
    /// Contact items.
    pub items: Vec<ConfigItem>,
    pub stores: Vec<StoreLink>,
    /// Addresses where accounts are opened and managed.
    #[serde(default)]
    pub addresses: Vec<ConfigItem>,
}

impl ConfigSnapshot {
    /// Whether both parts are the same objects, and therefore equal.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.configuration, &other.configuration)
            && Arc::ptr_eq(&self.college, &other.college)
    }
}

/// Holds the newest snapshot.
#[derive(Clone)]
pub(crate) struct SnapshotStore {
    last: Arc<ArcSwapOption<ConfigSnapshot>>,
    /// Whether `last` was loaded by this process.
    is_loaded: Arc<AtomicBool>,
    file: DataFile,
}

impl SnapshotStore {
    /// Opens the store and reads the snapshot of an earlier run in `data_dir`, if there is one.
    pub(crate) fn open(data_dir: &Path) -> Self {
        let file = DataFile::new(data_dir, "config.json");
        let last = Arc::new(ArcSwapOption::from_pointee(file.read::<ConfigSnapshot>()));
        Self { last, is_loaded: Arc::default(), file }
    }

    pub(crate) fn latest(&self) -> Option<ConfigSnapshot> {
        self.last.load().as_deref().cloned()
    }

    /// The newest snapshot, if this process loaded it.
    pub(crate) fn loaded(&self) -> Option<Arc<ConfigSnapshot>> {
        self.is_loaded.load(Ordering::Acquire).then(|| self.last.load_full()).flatten()
    }

    /// Saves a loaded snapshot. An equal snapshot is not written to disk; the same object is not even compared.
    pub(crate) fn save(&self, snapshot: &ConfigSnapshot) {
        let last = self.last.load_full();
        if last.as_ref().is_none_or(|last| !last.is_same(snapshot)) {
            self.last.store(Some(Arc::new(snapshot.clone())));
        }
        self.is_loaded.store(true, Ordering::Release);
        if last.is_none_or(|last| !last.is_same(snapshot) && *last != *snapshot) {
            self.file.write_in_background(snapshot);
        }
    }
}
