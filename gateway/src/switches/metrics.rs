//! A gauge for each feature, by which an alert reminds operators of one that stays off (docs/operations/switches.md).

use std::sync::{Arc, Weak};

use clap::ValueEnum;
use sahm_chassis::telemetry::Observed;

use super::{Shared, cli::FeatureName};

/// Registers the gauges. They are gone with the switches.
pub(super) fn register(switches: &Arc<Shared>) {
    for name in FeatureName::value_variants() {
        let Some(value) = name.to_possible_value() else { continue };
        let feature = name.feature();
        let source: Weak<Shared> = Arc::downgrade(switches);
        Observed::of("switches.turned_off", "1 while operators have turned the feature off")
            .labelled(&[("feature", value.get_name())])
            .gauge(source, move |switches| {
                let turned_off = switches.turned_off.borrow();
                u64::from(turned_off.iter().any(|switch| switch.feature() == feature))
            });
    }
}
