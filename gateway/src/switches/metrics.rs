//! A gauge for each feature. An alert reminds operators of one that stays off (docs/operations/switches.md).

use std::sync::Arc;

use clap::ValueEnum;
use sahm_chassis::telemetry::Observed;

use super::{Shared, cli::FeatureName, name_of};

/// Registers the gauges. They end with the switches.
pub(super) fn register(switches: &Arc<Shared>) {
    for feature in FeatureName::value_variants().iter().map(|name| name.feature()) {
        Observed::of("switches.turned_off", "1 while operators have turned the feature off")
            .labelled(&[("feature", &name_of(feature))])
            .gauge(Arc::downgrade(switches), move |switches| {
                let turned_off = switches.turned_off.borrow();
                u64::from(turned_off.iter().any(|switch| switch.feature() == feature))
            });
    }
}
