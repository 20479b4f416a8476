//! The generic cell rate algorithm. A budget is one timestamp, the theoretical arrival time: each request advances it
//! by the interval, and it may not be further ahead of now than the burst allows.

use std::time::Duration;

use super::RateClass;

/// Returns the theoretical arrival time after one more request. `multiple` is the size of the budget, in budgets of one
/// address; `arrival` and `now` are nanoseconds on the same clock.
///
/// # Errors
/// The budget is exhausted; the error is the time until the next request is allowed.
pub(super) fn check(
    class: RateClass,
    multiple: u32,
    arrival: u64,
    now: u64,
) -> Result<u64, Duration> {
    let interval = nanos(class.interval() / multiple);
    let next = arrival.max(now) + interval;
    let latest = now + interval * u64::from(class.burst()) * u64::from(multiple);
    if next <= latest { Ok(next) } else { Err(Duration::from_nanos(next - latest)) }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    const START: u64 = 1_000_000_000_000;

    #[test]
    fn burst_is_granted_then_one_request_per_interval() {
        struct Row {
            multiple: u32,
            burst: u32,
            interval: u64,
        }
        for Row { multiple, burst, interval } in [
            Row { multiple: 1, burst: 100, interval: 100_000_000 },
            Row { multiple: 16, burst: 1_600, interval: 6_250_000 },
        ] {
            let (mut until, mut now) = (0, START);
            let check = |until, now| check(RateClass::Other, multiple, until, now);
            for _ in 0..burst {
                until = check(until, now).unwrap();
            }
            assert_eq!(check(until, now), Err(Duration::from_nanos(interval)));
            now += interval - 1;
            assert_eq!(check(until, now), Err(Duration::from_nanos(1)));
            now += 1;
            until = check(until, now).unwrap();
            assert!(check(until, now).is_err());
            now += 60_000_000_000;
            for _ in 0..burst {
                until = check(until, now).unwrap();
            }
            assert!(check(until, now).is_err());
        }
    }

    proptest! {
        #[test]
        fn granted_requests_never_exceed_burst_and_rate(
            gaps in proptest::collection::vec(0..100_000_000_u64, 1..600),
        ) {
            let (mut until, mut now, mut granted) = (0, START, 0_u64);
            for gap in gaps {
                now += gap;
                match check(RateClass::Other, 1, until, now) {
                    Ok(next) => {
                        until = next;
                        granted += 1;
                    }
                    // A request after the returned wait is granted.
                    Err(wait) => {
                        let then = now + nanos(wait);
                        prop_assert!(check(RateClass::Other, 1, until, then).is_ok());
                    }
                }
            }
            prop_assert!(granted <= 100 + (now - START) / 100_000_000);
        }
    }
}
