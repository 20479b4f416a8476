//! A circuit breaker: after consecutive failures, no calls are sent to the provider for a while.

/// Consecutive failures that open the circuit.
const FAILURES_TO_OPEN: u32 = 5;

/// How long the circuit stays open, in milliseconds: the first value, doubled each time up to the second.
const OPEN_MILLISECONDS: [u64; 2] = [2_000, 30_000];

/// Closed, open until a time, or half open with one call in flight.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    failures: u32,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    until: u64,
    pause: u64,
    probing: bool,
}

impl Breaker {
    /// Whether a call may start at `now` (epoch milliseconds). The caller must report its result.
    pub(super) fn allows(&mut self, now: u64) -> bool {
        match &mut self.open {
            None => true,
            Some(open) if now >= open.until && !open.probing => {
                open.probing = true;
                true
            }
            Some(_) => false,
        }
    }

    /// Whether it is open or half open.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub(super) fn succeeded(&mut self) {
        *self = Self::default();
    }

    pub(super) fn failed(&mut self, now: u64) {
        self.failures += 1;
        self.open = match &self.open {
            // Ignores results of calls that were in flight when the circuit opened.
            Some(Open { probing: false, .. }) => return,
            Some(open) => Some((open.pause * 2).min(OPEN_MILLISECONDS[1])),
            None if self.failures >= FAILURES_TO_OPEN => Some(OPEN_MILLISECONDS[0]),
            None => None,
        }
        .map(|pause| Open { until: now + pause, pause, probing: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_probes_and_closes() {
        let mut breaker = Breaker::default();
        for _ in 1..FAILURES_TO_OPEN {
            breaker.failed(0);
            assert!(breaker.allows(0));
        }
        breaker.failed(0);
        breaker.failed(1_000);
        assert!(breaker.is_open() && !breaker.allows(1_999));
        assert!(breaker.allows(2_000) && !breaker.allows(2_000));
        breaker.failed(2_100);
        assert!(!breaker.allows(6_099) && breaker.allows(6_100));
        for _ in 0..9 {
            breaker.failed(10_000);
            assert!(!breaker.allows(10_000));
            assert!(breaker.allows(40_000));
        }
        breaker.succeeded();
        assert!(!breaker.is_open());
        breaker.failed(50_000);
        assert!(breaker.allows(50_000));
    }
}
