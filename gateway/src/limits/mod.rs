//! Rate limits and concurrency limits (docs/limits-and-timeouts.md).
//!
//! - `rate_class`: classes of requests and their rates.
//! - `gcra`: the algorithm. `local`: budgets in this process. `shared`: budgets in Redis, shared by all gateways.
//! - `concurrency`: limits of concurrent requests, connections and streams.
//! - `connections`: admission of connections.

mod concurrency;
mod connections;
mod gcra;
mod local;
mod rate_class;
mod shared;

use std::{net::IpAddr, sync::Arc, time::Duration};

use http::request::Parts;
use opentelemetry::{KeyValue, metrics::Counter};
use sahm_chassis::telemetry;

use self::local::Local;
pub(crate) use self::{
    concurrency::{ConcurrencyLimit, LimitExceeded, PROXIED, Permit, REQUESTS, STREAMS, UPLOADS},
    connections::{AddressShare, Admission, Connections},
    rate_class::RateClass,
};
use crate::{
    client_address::{ClientAddress, network_of},
    redis_connection::Redis,
};

/// Timeout of Redis for the rate limit of a call (docs/page-cache.md).
pub(crate) const REDIS_TIMEOUT_API: Duration = Duration::from_millis(50);

/// Timeout of Redis for the rate limit of a page or a file.
pub(crate) const REDIS_TIMEOUT_PAGE_RATE_LIMIT: Duration = Duration::from_millis(10);

/// Timeout of Redis for reading the page or the file itself: the rest of [`REDIS_TIMEOUT_API`].
pub(crate) const REDIS_TIMEOUT_PAGE: Duration =
    REDIS_TIMEOUT_API.saturating_sub(REDIS_TIMEOUT_PAGE_RATE_LIMIT);

/// Rate limits by client address. Clones share the budgets.
#[derive(Clone)]
pub(crate) struct Limits(Option<Arc<Inner>>);

struct Inner {
    local: Local,
    redis: Option<Arc<Redis>>,
    rejected: Counter<u64>,
}

impl Limits {
    pub(crate) fn off() -> Self {
        Self(None)
    }

    /// Limits with budgets in this process and, if there is Redis, budgets shared by all gateways.
    pub(crate) fn on(redis: Option<Arc<Redis>>) -> Self {
        let rejected = telemetry::counter(
            "gateway.rate_limited",
            "Requests beyond the rate limit of their address",
        );
        Self(Some(Arc::new(Inner { local: Local::new(), redis, rejected })))
    }

    /// Counts a page or file that is not in memory, and therefore costs a call to a service or Redis.
    ///
    /// # Errors
    /// As [`Limits::check`].
    pub(crate) async fn check_miss(
        &self,
        parts: &Parts,
        redis_timeout: Duration,
    ) -> Result<(), Duration> {
        let address = ClientAddress::for_limits(&parts.extensions);
        self.check(RateClass::Miss, address, redis_timeout).await
    }

    /// Counts a request against the budget of its address. If Redis does not respond within `redis_timeout`, the budget
    /// in this process decides.
    ///
    /// # Errors
    /// The budget is exhausted; the error is the time until the next request is allowed.
    pub(crate) async fn check(
        &self,
        class: RateClass,
        address: IpAddr,
        redis_timeout: Duration,
    ) -> Result<(), Duration> {
        let Some(inner) = &self.0 else { return Ok(()) };
        let address = Address::of(address);
        // The local budget is checked first: one gateway never receives more requests than all of them, and a flood
        // that it rejects does not reach Redis.
        let mut checked = inner.local.check(class, address);
        // A request that is rejected for its network does not count against its site.
        if checked.is_ok()
            && let Some(site) = address.site()
        {
            checked = inner.local.check(class, site);
        }
        if checked.is_ok()
            && let Some(redis) = &inner.redis
            && let Some(shared) = shared::check(redis, class, address, redis_timeout).await
        {
            checked = shared;
        }
        if checked.is_err() {
            inner.rejected.add(1, &[KeyValue::new("budget", class.name())]);
        }
        checked
    }
}

/// The owner of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Address {
    V4(u32),
    /// A /64.
    V6(u64),
    /// A /48: a site of 65,536 networks.
    V6Site(u64),
}

/// The budget of an IPv6 site, as a multiple of the budget of one address.
const SITE_BUDGETS: u32 = 16;

impl Address {
    /// The site that an IPv6 network belongs to.
    fn site(self) -> Option<Self> {
        match self {
            Self::V6(network) => Some(Self::V6Site(network >> 16)),
            Self::V4(_) | Self::V6Site(_) => None,
        }
    }

    /// Its budget, as a multiple of the budget of one IPv4 address.
    fn budgets(self) -> u32 {
        if matches!(self, Self::V6Site(_)) { SITE_BUDGETS } else { 1 }
    }

    fn of(address: IpAddr) -> Self {
        match network_of(address) {
            IpAddr::V4(address) => Self::V4(address.into()),
            IpAddr::V6(network) => Self::V6((u128::from(network) >> 64) as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_a_budget() {
        for (one, other, same) in [
            ("1.2.3.4", "1.2.3.4", true),
            ("1.2.3.4", "1.2.3.5", false),
            ("1.2.3.4", "::ffff:1.2.3.4", true),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("::1", "0.0.0.1", false),
        ] {
            let is_same = Address::of(address(one)) == Address::of(address(other));
            assert_eq!(is_same, same, "{one} {other}");
        }
    }

    #[tokio::test]
    async fn networks_of_one_ipv6_site_share_a_larger_budget() {
        let limits = Limits::on(None);
        let granted = async |address: String| {
            let address = self::address(&address);
            let mut count = 0;
            while count < 200
                && limits.check(RateClass::Other, address, REDIS_TIMEOUT_API).await.is_ok()
            {
                count += 1;
            }
            count
        };
        let mut granted_to_site = 0;
        for network in 0..64 {
            granted_to_site += granted(format!("2001:db8:1:{network:x}::1")).await;
        }
        // 16 bursts of 100, plus the budget regained during the test.
        assert!((1_600..3_200).contains(&granted_to_site), "{granted_to_site}");
        assert!(granted("2001:db8:2::1".to_owned()).await >= 100);
    }

    #[tokio::test]
    async fn each_address_and_class_has_its_own_budget_and_no_limits_apply_when_off() {
        let limits = Limits::on(None);
        let (one, other) = (address("1.2.3.4"), address("1.2.3.5"));
        let check = async |class, address| limits.check(class, address, REDIS_TIMEOUT_API).await;
        let mut count = 0;
        while check(RateClass::Other, one).await.is_ok() {
            count += 1;
        }
        // The burst, plus the budget regained during the test.
        assert!((100..=110).contains(&count), "{count}");
        let wait = check(RateClass::Other, one).await.unwrap_err();
        assert!(wait <= Duration::from_millis(100) && !wait.is_zero(), "{wait:?}");
        assert!(check(RateClass::Reading, one).await.is_ok());
        assert!(check(RateClass::Other, other).await.is_ok());
        for _ in 0..1_000 {
            assert!(Limits::off().check(RateClass::Other, one, REDIS_TIMEOUT_API).await.is_ok());
        }
    }

    #[tokio::test]
    async fn misses_count_against_the_address_of_their_request() {
        let limits = Limits::on(None);
        let check = async |client: &str| {
            let (mut parts, ()) = http::Request::new(()).into_parts();
            parts.extensions.insert(ClientAddress(address(client)));
            limits.check_miss(&parts, REDIS_TIMEOUT_API).await
        };
        let mut count = 0;
        while count < 1_000 && check("1.2.3.4").await.is_ok() {
            count += 1;
        }
        // The burst, plus the budget regained during the test.
        assert!((500..1_000).contains(&count), "{count}");
        assert!(check("1.2.3.5").await.is_ok());
    }
}
