//! The generic cell rate algorithm. A budget is one timestamp, the theoretical arrival time: each request advances it by
//! the interval, and it may not be further ahead of now than the burst allows.

use std::time::Duration;

use super::RateClass;

/// Spends one request of `budgets` budgets in one. `spent_until` and `now` are on one clock, in nanoseconds.
///
/// # Errors
/// The time until the budget suffices again.
pub(super) fn spend(
    budget: RateClass,
    budgets: u32,
    spent_until: u64,
    now: u64,
) -> Result<u64, Duration> {
    let interval = nanos(budget.interval() / budgets);
    let next = spent_until.max(now) + interval;
    let latest = now + interval * u64::from(budget.burst()) * u64::from(budgets);
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
    fn a_burst_then_one_an_interval() {
        let (mut until, mut now) = (0, START);
        for _ in 0..100 {
            until = spend(RateClass::Other, 1, until, now).unwrap();
        }
        assert_eq!(spend(RateClass::Other, 1, until, now), Err(Duration::from_millis(100)));
        now += 99_999_999;
        assert_eq!(spend(RateClass::Other, 1, until, now), Err(Duration::from_nanos(1)));
        now += 1;
        until = spend(RateClass::Other, 1, until, now).unwrap();
        assert!(spend(RateClass::Other, 1, until, now).is_err());
        now += 60_000_000_000;
        for _ in 0..100 {
            until = spend(RateClass::Other, 1, until, now).unwrap();
        }
        assert!(spend(RateClass::Other, 1, until, now).is_err());
    }

    proptest! {
        #[test]
        fn no_more_than_burst_and_rate_whatever_comes_when(
            gaps in proptest::collection::vec(0..400_000_000_u64, 1..600),
        ) {
            let (mut until, mut now, mut granted) = (0, START, 0_u64);
            for gap in gaps {
                now += gap;
                match spend(RateClass::Other, 1, until, now) {
                    Ok(next) => {
                        until = next;
                        granted += 1;
                    }
                    // After the time that is said there is enough.
                    Err(wait) => {
                        let then = now + nanos(wait);
                        prop_assert!(spend(RateClass::Other, 1, until, then).is_ok());
                    }
                }
            }
            prop_assert!(granted <= 100 + (now - START) / 100_000_000);
        }
    }
}
