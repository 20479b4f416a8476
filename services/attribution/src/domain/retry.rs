//! Interpretation of a sink's response, and the backoff after a failure.

use std::time::Duration;

const MIN_DELAY: Duration = Duration::from_millis(500);
const MAX_DELAY: Duration = Duration::from_secs(60);

/// The outcome of a delivery, with the reason of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Accepted,
    /// Rejected; sending the same again does not help.
    Rejected(String),
    /// The sink fails or rejects our credentials; the same events are sent again later.
    Retry(String),
}

/// The outcome according to the status of the sink's response. `is_last_attempt` is true for a
/// single event that has failed often: a response of 500 then means that the sink fails because of
/// the event.
pub fn outcome_of(status: u16, reason: String, is_last_attempt: bool) -> DeliveryOutcome {
    match status {
        200..=299 => DeliveryOutcome::Accepted,
        400 | 409 | 413 | 415 | 422 => DeliveryOutcome::Rejected(reason),
        500 if is_last_attempt => DeliveryOutcome::Rejected(reason),
        // A wrong token (401, 403) or URL (404) is corrected by the operator; no event is lost
        // meanwhile.
        _ => DeliveryOutcome::Retry(reason),
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
        struct Case {
            status: u16,
            outcome: fn(String) -> DeliveryOutcome,
            /// The outcome of the last attempt.
            last: fn(String) -> DeliveryOutcome,
        }
        let accepted: fn(String) -> DeliveryOutcome = |_| DeliveryOutcome::Accepted;
        let rejected: fn(String) -> DeliveryOutcome = DeliveryOutcome::Rejected;
        let retry: fn(String) -> DeliveryOutcome = DeliveryOutcome::Retry;
        let case = |status, outcome| Case { status, outcome, last: outcome };
        for Case { status, outcome, last } in [
            case(199, retry),
            case(200, accepted),
            case(204, accepted),
            case(299, accepted),
            case(300, retry),
            case(302, retry),
            case(400, rejected),
            case(401, retry),
            case(403, retry),
            case(404, retry),
            case(409, rejected),
            case(413, rejected),
            case(415, rejected),
            case(422, rejected),
            case(429, retry),
            Case { last: rejected, ..case(500, retry) },
            case(501, retry),
            case(503, retry),
        ] {
            for (is_last_attempt, expected) in [(false, outcome), (true, last)] {
                let found = outcome_of(status, "why".to_owned(), is_last_attempt);
                assert_eq!(found, expected("why".to_owned()), "{status} {is_last_attempt}");
            }
        }
    }
}
