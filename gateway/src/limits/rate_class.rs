//! Rate classes: which requests share a budget, and how large it is (docs/limits-and-timeouts.md).

use std::time::Duration;

/// A class of requests. Each address has one budget per class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RateClass {
    /// Responses that are not in a cache: pages, media, sitemaps, assets and proxied requests.
    Miss,
    /// Calls that only read, and the member check.
    Reading,
    /// Events and logs.
    Events,
    /// Every other call.
    Other,
    /// New visitor ids. Beyond the budget, visitors are counted by their address.
    NewVisitors,
}

impl RateClass {
    /// The name in Redis keys and metrics, the number of requests that may arrive at once, and the number that the
    /// budget regains each second.
    fn row(self) -> (&'static str, u32, u32) {
        match self {
            Self::Miss => ("miss", 500, 50),
            Self::Reading => ("reading", 300, 50),
            Self::Events => ("events", 2_000, 200),
            Self::Other => ("other", 100, 10),
            // A mobile operator has thousands of visitors behind one address.
            Self::NewVisitors => ("new_visitors", 60, 1),
        }
    }

    pub(super) fn name(self) -> &'static str {
        self.row().0
    }

    pub(super) fn burst(self) -> u32 {
        self.row().1
    }

    /// Interval at which the budget regains one request.
    pub(super) fn interval(self) -> Duration {
        Duration::from_secs(1) / self.row().2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_match_documented_limits() {
        for (class, per_second, burst) in [
            (RateClass::Miss, 50, 500),
            (RateClass::Reading, 50, 300),
            (RateClass::Events, 200, 2_000),
            (RateClass::Other, 10, 100),
        ] {
            assert_eq!(class.interval() * per_second, Duration::from_secs(1));
            assert_eq!(class.burst(), burst);
        }
        let visitors = RateClass::NewVisitors;
        assert_eq!((visitors.interval(), visitors.burst()), (Duration::from_secs(1), 60));
    }
}
