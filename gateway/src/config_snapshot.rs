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

/// What the layout data of every page is composed from. Clones share both parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ConfigSnapshot {
    #[serde(flatten, with = "shared")]
    pub configuration: Arc<Configuration>,
    /// Categories and courses of the education section, for the menu.
    #[serde(default, with = "shared")]
    pub college: Arc<Vec<CollegeNavigationVo>>,
}

/// The part of it that config has.
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
    /// Whether both parts are the same objects: equal without a comparison.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.configuration, &other.configuration)
            && Arc::ptr_eq(&self.college, &other.college)
    }
}

/// Serialises what an [`Arc`] points to.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Arc<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        T::serialize(value, serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(deserializer).map(Arc::new)
    }
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

    pub(crate) fn latest(&self) -> Option<ConfigSnapshot> {
        self.last.load().as_deref().cloned()
    }

    /// The newest snapshot, where this process loaded it.
    pub(crate) fn loaded(&self) -> Option<Arc<ConfigSnapshot>> {
        self.is_loaded.load(Ordering::Acquire).then(|| self.last.load_full()).flatten()
    }

    /// Saves a snapshot that was loaded; an unchanged one costs no disk access, and the same one nothing.
    pub(crate) fn save(&self, snapshot: &ConfigSnapshot) {
        let last = self.last.load_full();
        if last.as_ref().is_none_or(|last| !last.is_same(snapshot)) {
            self.last.store(Some(Arc::new(snapshot.clone())));
        }
        self.is_loaded.store(true, Ordering::Release);
        if last.is_some_and(|last| last.is_same(snapshot) || *last == *snapshot) {
            return;
        }
        let snapshot = snapshot.clone();
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
