//! What a sink's answer means, and how long to wait after one that failed.

use std::time::Duration;

const MIN_DELAY: Duration = Duration::from_millis(500);
const MAX_DELAY: Duration = Duration::from_secs(60);

/// What a sink's answer means for what was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Taken,
    /// Refused: sending the same again helps nothing.
    Refused,
    /// The sink is not well, or we are not known there: the same again later.
    Later,
}

pub fn verdict(status: u16) -> Verdict {
    match status {
        200..=299 => Verdict::Taken,
        400 | 409 | 413 | 415 | 422 => Verdict::Refused,
        // A wrong token (401, 403) or address (404) is the operator's to mend; nothing is lost meanwhile.
        _ => Verdict::Later,
    }
}

/// The pause after so many failed attempts in a row: doubling from half a second to a minute, of
/// which `jitter` (0 to 1) decides the upper half, so that replicas do not come together.
pub fn pause(failed_attempts: u32, jitter: f64) -> Duration {
    let doubled = MIN_DELAY.saturating_mul(1 << failed_attempts.saturating_sub(1).min(16));
    doubled.min(MAX_DELAY).mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_minute() {
        for (attempts, jitter, millis) in [
            (1, 1.0, 500),
            (1, 0.0, 250),
            (2, 1.0, 1_000),
            (7, 1.0, 32_000),
            (8, 1.0, 60_000),
            (8, 0.0, 30_000),
            (u32::MAX, 1.0, 60_000),
            (0, 1.0, 500),
            (3, 0.5, 1_500),
            (3, -1.0, 1_000),
            (3, 2.0, 2_000),
        ] {
            assert_eq!(pause(attempts, jitter).as_millis(), millis, "{attempts} {jitter}");
        }
    }

    #[test]
    fn verdicts() {
        for (status, expected) in [
            (199, Verdict::Later),
            (200, Verdict::Taken),
            (204, Verdict::Taken),
            (299, Verdict::Taken),
            (300, Verdict::Later),
            (302, Verdict::Later),
            (400, Verdict::Refused),
            (401, Verdict::Later),
            (403, Verdict::Later),
            (404, Verdict::Later),
            (409, Verdict::Refused),
            (413, Verdict::Refused),
            (415, Verdict::Refused),
            (422, Verdict::Refused),
            (429, Verdict::Later),
            (500, Verdict::Later),
            (503, Verdict::Later),
        ] {
            assert_eq!(verdict(status), expected, "{status}");
        }
    }
}
