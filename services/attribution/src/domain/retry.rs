//! Interpretation of a sink's response, and the backoff after a failure.

use std::time::Duration;

const MIN_DELAY: Duration = Duration::from_millis(500);
const MAX_DELAY: Duration = Duration::from_secs(60);

/// The outcome of a delivery, according to the sink's response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Accepted,
    /// Rejected; sending the same again does not help.
    Rejected,
    /// The sink fails or rejects our credentials; the same events are sent again later.
    Retry,
}

pub fn outcome_of(status: u16) -> DeliveryOutcome {
    match status {
        200..=299 => DeliveryOutcome::Accepted,
        400 | 409 | 413 | 415 | 422 => DeliveryOutcome::Rejected,
        // A wrong token (401, 403) or URL (404) is corrected by the operator; no event is lost
        // meanwhile.
        _ => DeliveryOutcome::Retry,
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
    fn status_determines_the_outcome() {
        for (status, expected) in [
            (199, DeliveryOutcome::Retry),
            (200, DeliveryOutcome::Accepted),
            (204, DeliveryOutcome::Accepted),
            (299, DeliveryOutcome::Accepted),
            (300, DeliveryOutcome::Retry),
            (302, DeliveryOutcome::Retry),
            (400, DeliveryOutcome::Rejected),
            (401, DeliveryOutcome::Retry),
            (403, DeliveryOutcome::Retry),
            (404, DeliveryOutcome::Retry),
            (409, DeliveryOutcome::Rejected),
            (413, DeliveryOutcome::Rejected),
            (415, DeliveryOutcome::Rejected),
            (422, DeliveryOutcome::Rejected),
            (429, DeliveryOutcome::Retry),
            (500, DeliveryOutcome::Retry),
            (503, DeliveryOutcome::Retry),
        ] {
            assert_eq!(outcome_of(status), expected, "{status}");
        }
    }
}
