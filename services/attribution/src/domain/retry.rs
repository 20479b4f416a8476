//! Interpretation of a sink's response, and the backoff after a failure.

use std::time::Duration;

const MIN_DELAY: Duration = Duration::from_millis(500);
const MAX_DELAY: Duration = Duration::from_secs(60);

/// What a sink's response means for the sent events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Taken,
    /// Rejected; sending the same again does not help.
    Refused,
    /// The sink fails or rejects our credentials; the same events are sent again later.
    Later,
}

pub fn verdict(status: u16) -> Verdict {
    match status {
        200..=299 => Verdict::Taken,
        400 | 409 | 413 | 415 | 422 => Verdict::Refused,
        // A wrong token (401, 403) or URL (404) is corrected by the operator; no event is lost
        // meanwhile.
        _ => Verdict::Later,
    }
}

/// The backoff after a number of consecutive failures: it doubles from half a second to a minute.
/// `jitter` (0 to 1) determines the upper half, so that replicas do not retry together.
pub fn backoff(failed_attempts: u32, jitter: f64) -> Duration {
    let doubled = MIN_DELAY.saturating_mul(1 << failed_attempts.saturating_sub(1).min(16));
    doubled.min(MAX_DELAY).mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_up_to_a_minute() {
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
            assert_eq!(backoff(attempts, jitter).as_millis(), millis, "{attempts} {jitter}");
        }
    }

    #[test]
    fn status_determines_the_verdict() {
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
