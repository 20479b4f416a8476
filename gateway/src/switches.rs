//! Switches: features that operators have turned off while the site runs (docs/operations/switches.md).
//!
//! Config stores them; every gateway reads them again whenever config's change log advances
//! ([`ConfigRefresh`](crate::config_refresh::ConfigRefresh)). The last known switches are stored on disk, because
//! config may be unavailable and gateways may restart during maintenance.

mod cli;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use clap::ValueEnum;
use sahm_chassis::{error::Result, telemetry::Observed};
use sahm_proto::{
    config::v1::{ListSwitchesRequest, ListSwitchesResponse, Switch},
    options::v1::Feature,
};
use tokio::sync::watch;

use self::cli::FeatureName;
pub use self::cli::SwitchCommand;
use crate::{data_file::DataFile, services::Services, visitor::Locale};

/// The switches as this gateway last read them. Clones share them.
#[derive(Clone)]
pub(crate) struct Switches(Arc<Shared>);

struct Shared {
    /// Read for every request, hits of the page cache included.
    is_in_maintenance: AtomicBool,
    turned_off: watch::Sender<Vec<Switch>>,
    file: DataFile,
}

impl Switches {
    /// Restores the last switches of an earlier run from `data_dir`; none if there was no earlier run.
    pub(crate) fn open(data_dir: &Path) -> Self {
        let file = DataFile::new(data_dir, "switches.json");
        let ListSwitchesResponse { turned_off } = file.read().unwrap_or_default();
        let switches = Self(Arc::new(Shared {
            is_in_maintenance: AtomicBool::default(),
            turned_off: watch::Sender::new(Vec::new()),
            file,
        }));
        switches.set(turned_off);
        switches
    }

    /// Registers a gauge for each feature. An alert reminds operators of one that stays off.
    pub(crate) fn register_metrics(&self) {
        for feature in FeatureName::value_variants().iter().map(|name| name.feature()) {
            Observed::of("switches.turned_off", "1 while operators have turned the feature off")
                .labelled(&[("feature", &name_of(feature))])
                .gauge(Arc::downgrade(&self.0), move |switches| {
                    let turned_off = switches.turned_off.borrow();
                    u64::from(turned_off.iter().any(|switch| switch.feature() == feature))
                });
        }
    }

    /// The switch of a feature that is turned off.
    pub(crate) fn turned_off(&self, feature: Feature) -> Option<Switch> {
        self.0.turned_off.borrow().iter().find(|switch| switch.feature() == feature).cloned()
    }

    pub(crate) fn is_in_maintenance(&self) -> bool {
        self.0.is_in_maintenance.load(Ordering::Relaxed)
    }

    /// Waits until a feature is turned off, by itself or with the whole site.
    pub(crate) async fn until_turned_off(self, feature: Feature) {
        let is_off = |switch: &Switch| [feature, Feature::Site].contains(&switch.feature());
        let mut turned_off = self.0.turned_off.subscribe();
        // The sender lives as long as `self`.
        let _ = turned_off.wait_for(|switches| switches.iter().any(is_off)).await;
    }

    /// Reads the switches.
    ///
    /// # Errors
    /// Config does not respond; the switches stay unchanged.
    pub(crate) async fn refresh(&self, services: &Services) -> Result<()> {
        let response = services.read(ListSwitchesRequest {}).await?;
        if *self.0.turned_off.borrow() == response.turned_off {
            return Ok(());
        }
        let features = response.turned_off.iter().map(|switch| switch.feature().as_str_name());
        let features = features.collect::<Vec<_>>();
        tracing::warn!(turned_off = ?features, "operators turned features off or on");
        self.set(response.turned_off.clone());
        self.0.file.write_in_background(&response);
        Ok(())
    }

    fn set(&self, turned_off: Vec<Switch>) {
        let is_off = turned_off.iter().any(|switch| switch.feature() == Feature::Site);
        self.0.is_in_maintenance.store(is_off, Ordering::Relaxed);
        self.0.turned_off.send_replace(turned_off);
    }
}

/// The name of a feature in commands, their output and metrics.
fn name_of(feature: Feature) -> String {
    let name = feature.as_str_name().trim_start_matches("FEATURE_");
    name.to_ascii_lowercase().replace('_', "-")
}

/// The message of a switch for visitors.
pub(crate) fn message(switch: &Switch, locale: Locale) -> &str {
    match locale {
        Locale::EnUs => &switch.message_en,
        Locale::ArSa => &switch.message_ar,
    }
}

/// The time after which a caller may try again.
pub(crate) fn retry_after(switch: &Switch) -> Duration {
    Duration::from_secs(switch.retry_after_seconds.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn switch(feature: Feature) -> Switch {
        Switch { feature: feature.into(), ..Switch::default() }
    }

    #[test]
    fn last_switches_are_read_from_disk_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let switches = Switches::open(folder.path());
        assert!(!switches.is_in_maintenance());
        let file = switches.0.file.clone();
        let turned_off = ListSwitchesResponse { turned_off: vec![switch(Feature::Site)] };
        file.write(serde_json::to_vec(&turned_off).unwrap()).unwrap();
        let switches = Switches::open(folder.path());
        assert!(switches.is_in_maintenance());
        assert!(switches.turned_off(Feature::Login).is_none());
        std::fs::write(folder.path().join("gateway/switches.json"), "{").unwrap();
        assert!(!Switches::open(folder.path()).is_in_maintenance());
    }

    #[test]
    fn each_feature_has_a_gauge_that_says_whether_it_is_off() {
        let folder = tempfile::tempdir().unwrap();
        let switches = Switches::open(folder.path());
        switches.register_metrics();
        let gauge = |feature, value| {
            let text = sahm_chassis::telemetry::prometheus_text();
            let label = format!("feature=\"{feature}\"");
            let mut lines = text.lines().filter(|line| line.starts_with("switches_turned_off{"));
            let line = lines.find(|line| line.contains(&label)).unwrap();
            assert!(line.ends_with(value), "{line}");
        };
        gauge("sign-up", " 0");
        switches.set(vec![switch(Feature::SignUp)]);
        gauge("sign-up", " 1");
        gauge("site", " 0");
    }

    #[tokio::test]
    async fn streams_end_with_their_feature_and_with_the_site() {
        let folder = tempfile::tempdir().unwrap();
        for feature in [Feature::Streams, Feature::Site] {
            let switches = Switches::open(folder.path());
            let waiting = tokio::spawn(switches.clone().until_turned_off(Feature::Streams));
            switches.set(vec![switch(Feature::Login)]);
            tokio::task::yield_now().await;
            assert!(!waiting.is_finished());
            switches.set(vec![switch(feature)]);
            waiting.await.unwrap();
        }
    }
}
