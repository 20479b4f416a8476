//! Countries of IP addresses, from an operator's file in the MaxMind DB format.

use std::{
    fs,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use anyhow::Context as _;
use arc_swap::ArcSwapOption;
use maxminddb::{Reader, geoip2};
use sahm_chassis::lifecycle::Lifecycle;

/// Interval at which the file is checked for changes.
const RELOAD_INTERVAL: Duration = Duration::from_secs(5);

/// The loaded file; without one no address has a country. Clones share it.
#[derive(Clone, Default)]
pub struct Geoip(Arc<ArcSwapOption<LoadedDatabase>>);

struct LoadedDatabase {
    reader: Reader<Vec<u8>>,
    version: Version,
}

/// Identifies a version of the file: its length and the time of its last change.
type Version = (u64, Option<SystemTime>);

impl Geoip {
    /// Loads the file and reloads it when it changes, until the drain.
    ///
    /// # Errors
    /// The file cannot be read or has another format.
    pub fn open_and_watch(file: PathBuf, lifecycle: &Lifecycle) -> anyhow::Result<Self> {
        let loaded = load(&file).with_context(|| format!("SAHM_GEOIP_FILE={}", file.display()))?;
        let geoip = Self(Arc::new(ArcSwapOption::from_pointee(loaded)));
        let watcher = geoip.clone();
        lifecycle.spawn_until_drain("geoip file", async move {
            loop {
                tokio::time::sleep(RELOAD_INTERVAL).await;
                let (geoip, file) = (watcher.clone(), file.clone());
                let checked =
                    tokio::task::spawn_blocking(move || geoip.reload_if_changed(&file)).await;
                if let Ok(Err(error)) = checked {
                    tracing::warn!(error = format!("{error:#}"), "geoip file not reloaded");
                }
            }
        });
        Ok(geoip)
    }

    /// Reloads a changed file; if it is invalid, the previous version stays in use.
    fn reload_if_changed(&self, file: &Path) -> anyhow::Result<()> {
        let known = self.0.load().as_ref().map(|loaded| loaded.version);
        if known == Some(version(file)?) {
            return Ok(());
        }
        self.0.store(Some(Arc::new(load(file)?)));
        tracing::info!(file = %file.display(), "geoip file reloaded");
        Ok(())
    }

    /// ISO 3166-1 alpha-2 code of the country where an address is located, otherwise of its
    /// registration.
    pub fn country(&self, address: IpAddr) -> Option<String> {
        let loaded = self.0.load();
        let found = loaded.as_ref()?.reader.lookup(address).ok()?;
        let record = found.decode::<geoip2::Country<'_>>().ok()??;
        record.country.iso_code.or(record.registered_country.iso_code).map(str::to_owned)
    }
}

fn load(file: &Path) -> anyhow::Result<LoadedDatabase> {
    let version = version(file)?;
    Ok(LoadedDatabase { reader: Reader::open_readfile(file)?, version })
}

fn version(file: &Path) -> std::io::Result<Version> {
    let metadata = fs::metadata(file)?;
    Ok((metadata.len(), metadata.modified().ok()))
}
