//! Detects growth of memory.

use serde::{Deserialize, Serialize};

use crate::statistics::slope;

/// Share of a run that is its warm-up, in which processes fill their caches.
const WARM_UP: f64 = 0.2;
/// Tolerated growth: as a share of the mean, or in bytes.
const SHARE: f64 = 0.05;
const BYTES: f64 = 4.0 * 1024.0 * 1024.0;

/// A process's memory over a run.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Memory {
    pub(crate) process: String,
    /// Seconds since the start, and bytes (see `Usage::memory`).
    pub(crate) points: Vec<(f64, f64)>,
    /// After the warm-up: the mean, and the rise of the fitted line.
    pub(crate) mean: f64,
    pub(crate) growth: f64,
    pub(crate) is_flat: bool,
}

impl Memory {
    /// Evaluates the memory of a process over a run of `seconds`.
    pub(crate) fn of_points(process: String, points: Vec<(f64, f64)>, seconds: f64) -> Memory {
        let begin = seconds * WARM_UP;
        let rest: Vec<(f64, f64)> = points.iter().copied().filter(|(at, _)| *at >= begin).collect();
        let mean = rest.iter().map(|(_, bytes)| bytes).sum::<f64>() / rest.len().max(1) as f64;
        let growth = slope(&rest) * (seconds - begin);
        let is_flat = growth < (SHARE * mean).max(BYTES);
        Memory { process, points, mean, growth, is_flat }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: f64 = 1024.0 * 1024.0;
    /// Memory in MiB by time.
    type Of = fn(f64) -> f64;

    #[test]
    fn verdicts() {
        let at = |of: Of| {
            let points = (0..=120).map(|n| (f64::from(n) * 10.0, of(f64::from(n)) * MIB)).collect();
            Memory::of_points("x".into(), points, 1_200.0)
        };
        let cases: [(&str, Of, bool); 6] = [
            ("level", |_| 100.0, true),
            ("fills up at first", |n| 50.0 + 2.0 * n.min(24.0), true),
            ("to and fro", |n| 100.0 + 10.0 * (n % 7.0), true),
            ("four hundredths", |n| 100.0 + 0.05 * n, true),
            ("a tenth", |n| 100.0 + 0.1 * n, false),
            ("little of little", |n| 5.0 + 0.03 * n, true),
        ];
        for (name, of, is_flat) in cases {
            let memory = at(of);
            assert_eq!(memory.is_flat, is_flat, "{name}: {} of {}", memory.growth, memory.mean);
        }
        assert!(at(|n| 100.0 - n / 10.0).is_flat, "what falls does not leak");
        assert!((at(|n| 100.0 + 0.1 * n).growth / MIB - 9.6).abs() < 1e-6);
    }
}
