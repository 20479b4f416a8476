//! Metric instruments. Names are OpenTelemetry's where it defines one; labels have few values, none
//! of them chosen by visitors.
use std::sync::Weak;

use opentelemetry::{
    KeyValue,
    metrics::{AsyncInstrument, Counter, Histogram},
};

use super::metrics::meter;

/// Bounds in seconds for histograms of durations, from a local call to a deadline.
pub const SECONDS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0,
];

/// A histogram of durations in seconds, with the bounds of [`SECONDS`].
pub fn seconds(name: &'static str, description: &'static str) -> Histogram<f64> {
    seconds_by(SECONDS, name, description)
}

/// A histogram of durations in seconds, with other bounds.
pub fn seconds_by(bounds: &[f64], name: &'static str, description: &'static str) -> Histogram<f64> {
    meter()
        .f64_histogram(name)
        .with_unit("s")
        .with_description(description)
        .with_boundaries(bounds.to_vec())
        .build()
}

/// A counter without a unit.
pub fn counter(name: &'static str, description: &'static str) -> Counter<u64> {
    meter().u64_counter(name).with_description(description).build()
}

/// An observable instrument: its value is read from a source when metrics are collected.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'a> {
    /// Its name, with dots as separators.
    pub name: &'static str,
    /// Its unit: `By`, `s`; empty for a count.
    pub unit: &'static str,
    /// Its description, for operators.
    pub description: &'static str,
    /// Labels that distinguish it from others of the same name.
    pub labels: &'a [(&'static str, &'a str)],
}

impl<'a> Observed<'a> {
    /// An instrument without unit and labels.
    pub fn of(name: &'static str, description: &'static str) -> Observed<'a> {
        Observed { name, unit: "", description, labels: &[] }
    }

    /// Sets the unit.
    #[must_use]
    pub fn in_unit(self, unit: &'static str) -> Observed<'a> {
        Observed { unit, ..self }
    }

    /// Sets the labels.
    #[must_use]
    pub fn labelled(self, labels: &'a [(&'static str, &'a str)]) -> Observed<'a> {
        Observed { labels, ..self }
    }

    /// Registers a gauge. It has no value after its source was dropped, and while `read` returns
    /// `None`.
    pub fn gauge<T: Send + Sync + 'static, V: Into<Option<u64>>>(
        self,
        source: Weak<T>,
        read: impl Fn(&T) -> V + Send + Sync + 'static,
    ) {
        meter()
            .u64_observable_gauge(self.name)
            .with_unit(self.unit)
            .with_description(self.description)
            .with_callback(self.reader(source, read))
            .build();
    }

    /// Registers a counter. It has no value after its source was dropped.
    pub fn counter<T: Send + Sync + 'static>(
        self,
        source: Weak<T>,
        read: impl Fn(&T) -> u64 + Send + Sync + 'static,
    ) {
        meter()
            .u64_observable_counter(self.name)
            .with_unit(self.unit)
            .with_description(self.description)
            .with_callback(self.reader(source, read))
            .build();
    }

    fn reader<T: Send + Sync + 'static, V: Into<Option<u64>>>(
        self,
        source: Weak<T>,
        read: impl Fn(&T) -> V + Send + Sync + 'static,
    ) -> impl Fn(&dyn AsyncInstrument<u64>) + Send + Sync + 'static {
        let label =
            |(name, value): &(&'static str, &str)| KeyValue::new(*name, (*value).to_owned());
        let labels: Vec<KeyValue> = self.labels.iter().map(label).collect();
        move |observer| {
            if let Some(value) = source.upgrade().and_then(|source| read(&source).into()) {
                observer.observe(value, &labels);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    };

    use super::*;
    use crate::telemetry::prometheus_text;

    fn line(name: &str) -> Option<String> {
        prometheus_text().lines().find(|line| line.starts_with(name)).map(str::to_owned)
    }

    #[test]
    fn instruments_stand_in_the_text() {
        counter("test.things", "things").add(3, &[]);
        assert_eq!(line("test_things_total").as_deref(), Some("test_things_total 3"));
        seconds("test.time", "time").record(0.3, &[KeyValue::new("of", "a")]);
        let bucket = "test_time_seconds_bucket{of=\"a\",le=\"0.5\"}";
        assert_eq!(line(bucket), Some(format!("{bucket} 1")));
    }

    #[test]
    fn observed_value_is_read_on_collection_until_its_owner_is_dropped() {
        let values: Vec<Arc<AtomicU64>> = (0..2).map(|_| Arc::default()).collect();
        for (of, value) in ["a", "b"].iter().zip(&values) {
            let labels = [("of", *of)];
            let read = |value: &AtomicU64| value.load(Ordering::Relaxed);
            let size = Observed::of("test.size", "bytes").in_unit("By").labelled(&labels);
            size.gauge(Arc::downgrade(value), read);
            let grown = Observed::of("test.grown", "grown").labelled(&labels);
            grown.counter(Arc::downgrade(value), read);
        }
        values[0].store(7, Ordering::Relaxed);
        assert_eq!(
            line("test_size_bytes{of=\"a\"}").as_deref(),
            Some("test_size_bytes{of=\"a\"} 7")
        );
        values[1].store(5, Ordering::Relaxed);
        assert_eq!(
            line("test_size_bytes{of=\"b\"}").as_deref(),
            Some("test_size_bytes{of=\"b\"} 5")
        );
        assert_eq!(
            line("test_grown_total{of=\"b\"}").as_deref(),
            Some("test_grown_total{of=\"b\"} 5")
        );
        let even = |value: &AtomicU64| Some(value.load(Ordering::Relaxed)).filter(|it| it % 2 == 0);
        Observed::of("test.even", "shown while it is even").gauge(Arc::downgrade(&values[0]), even);
        assert_eq!(line("test_even"), None);
        values[0].store(8, Ordering::Relaxed);
        assert_eq!(line("test_even").as_deref(), Some("test_even 8"));
        drop(values);
        assert_eq!(line("test_size_bytes"), None);
    }
}
