//! Which requests share a budget, and how large it is (docs/limits-and-timeouts.md).

use std::time::Duration;

/// A budget that each address has of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Budget {
    /// Pages that are not in the cache.
    Miss,
    /// Calls that only read, and the member check.
    Reading,
    /// Events and logs.
    Events,
    /// Every other call.
    Other,
    /// Ids of visitors that are issued. Beyond the budget visitors count by their address.
    NewVisitors,
}

/// Calls that report what happened: events, errors of browsers, views.
const EVENTS: [&str; 4] = [
    "/api/event-report/report",
    "/api/log/report",
    "/api/news/content/log/add",
    "/api/college/log/add",
];

/// Asked on every change of a page, so that it counts as reading.
const MEMBER_CHECK: &str = "/api/passport/member/check";

impl Budget {
    /// The budget of a call, by its path template and whether it only reads.
    pub(crate) fn of_call(template: &str, reads: bool) -> Self {
        match template {
            template if EVENTS.contains(&template) => Self::Events,
            MEMBER_CHECK => Self::Reading,
            _ if reads => Self::Reading,
            _ => Self::Other,
        }
    }

    /// The name in keys and figures.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Miss => "miss",
            Self::Reading => "reading",
            Self::Events => "events",
            Self::Other => "other",
            Self::NewVisitors => "new_visitors",
        }
    }

    /// How many requests may come at once.
    pub(super) fn burst(self) -> u32 {
        match self {
            Self::Miss => 500,
            Self::Reading => 300,
            Self::Events => 2_000,
            Self::Other => 100,
            Self::NewVisitors => 60,
        }
    }

    /// After this time one more.
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
    fn calls_have_their_budgets() {
        for (template, reads, budget) in [
            ("/api/event-report/report", false, Budget::Events),
            ("/api/log/report", false, Budget::Events),
            ("/api/news/content/log/add", false, Budget::Events),
            ("/api/college/log/add", false, Budget::Events),
            ("/api/passport/member/check", false, Budget::Reading),
            ("/api/news/tab/list", true, Budget::Reading),
            ("/api/help/rest/doc/{id}/contentV2", true, Budget::Reading),
            ("/api/hq/stream", true, Budget::Reading),
            ("/api/hq/batch/querySimpleBySecurityCodes", false, Budget::Other),
            ("/api/news/like/operate", false, Budget::Other),
            ("/api/passport/auth-code/send", false, Budget::Other),
        ] {
            assert_eq!(Budget::of_call(template, reads), budget, "{template}");
        }
    }

    #[test]
    fn budgets_are_those_of_the_contract() {
        for (budget, a_second, burst) in [
            (Budget::Miss, 50, 500),
            (Budget::Reading, 50, 300),
            (Budget::Events, 200, 2_000),
            (Budget::Other, 10, 100),
        ] {
            assert_eq!(budget.interval() * a_second, Duration::from_secs(1));
            assert_eq!(budget.burst(), burst);
        }
        let visitors = Budget::NewVisitors;
        assert_eq!((visitors.interval(), visitors.burst()), (Duration::from_secs(1), 60));
    }
}
