//! Rate classes: which requests share a budget, and how large it is (docs/limits-and-timeouts.md).

use std::time::Duration;

/// A class of requests; each address has a budget of its own for each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RateClass {
    /// Pages that are not in the cache.
    Miss,
    /// Calls that only read, and the member check.
    Reading,
    /// Events and logs.
    Events,
    /// Every other call.
    Other,
    /// New visitor ids. Beyond the budget visitors count by their address.
    NewVisitors,
}

/// Calls that report what happened: events, errors of browsers, views.
const EVENTS: [&str; 4] = [
    "/api/event-report/report",
    "/api/log/report",
    "/api/news/content/log/add",
    "/api/college/log/add",
];

/// Called on every page change, so it counts as reading.
const MEMBER_CHECK: &str = "/api/passport/member/check";

impl RateClass {
    /// The class of a call, by its path template and whether it only reads.
    pub(crate) fn of_call(template: &str, reads: bool) -> Self {
        match template {
            template if EVENTS.contains(&template) => Self::Events,
            MEMBER_CHECK => Self::Reading,
            _ if reads => Self::Reading,
            _ => Self::Other,
        }
    }

    /// The name in Redis keys and metrics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Miss => "miss",
            Self::Reading => "reading",
            Self::Events => "events",
            Self::Other => "other",
            Self::NewVisitors => "new_visitors",
        }
    }

    /// The burst: requests that may arrive at once.
    pub(super) fn burst(self) -> u32 {
        match self {
            Self::Miss => 500,
            Self::Reading => 300,
            Self::Events => 2_000,
            Self::Other => 100,
            Self::NewVisitors => 60,
        }
    }

    /// The interval after which one more is allowed.
    pub(super) fn interval(self) -> Duration {
        let a_second = match self {
            Self::Miss | Self::Reading => 50,
            Self::Events => 200,
            Self::Other => 10,
            // A mobile operator has thousands of visitors behind one address.
            Self::NewVisitors => 1,
        };
        Duration::from_secs(1) / a_second
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_their_classes() {
        for (template, reads, budget) in [
            ("/api/event-report/report", false, RateClass::Events),
            ("/api/log/report", false, RateClass::Events),
            ("/api/news/content/log/add", false, RateClass::Events),
            ("/api/college/log/add", false, RateClass::Events),
            ("/api/passport/member/check", false, RateClass::Reading),
            ("/api/news/tab/list", true, RateClass::Reading),
            ("/api/help/rest/doc/{id}/contentV2", true, RateClass::Reading),
            ("/api/hq/stream", true, RateClass::Reading),
            ("/api/hq/batch/querySimpleBySecurityCodes", false, RateClass::Other),
            ("/api/news/like/operate", false, RateClass::Other),
            ("/api/passport/auth-code/send", false, RateClass::Other),
        ] {
            assert_eq!(RateClass::of_call(template, reads), budget, "{template}");
        }
    }

    #[test]
    fn budgets_are_as_documented() {
        for (budget, a_second, burst) in [
            (RateClass::Miss, 50, 500),
            (RateClass::Reading, 50, 300),
            (RateClass::Events, 200, 2_000),
            (RateClass::Other, 10, 100),
        ] {
            assert_eq!(budget.interval() * a_second, Duration::from_secs(1));
            assert_eq!(budget.burst(), burst);
        }
        let visitors = RateClass::NewVisitors;
        assert_eq!((visitors.interval(), visitors.burst()), (Duration::from_secs(1), 60));
    }
}
