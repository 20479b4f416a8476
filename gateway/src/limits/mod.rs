//! Rate limits and concurrency limits (docs/limits-and-timeouts.md).
//!
//! - `rate_class`: classes of requests and their rates.
//! - `gcra`: the algorithm. `local`: budgets in this process. `shared`: budgets in Redis, over all gateways.
//! - `concurrency`: limits of requests, connections and streams at the same time.
//! - `connections`: admission of connections.

mod concurrency;
mod connections;
mod gcra;
mod local;
mod rate_class;
mod shared;

use std::{net::IpAddr, sync::Arc, time::Duration};

use opentelemetry::{KeyValue, metrics::Counter};
use sahm_chassis::telemetry;

use self::local::Local;
pub(crate) use self::{
    concurrency::{ConcurrencyLimit, LimitExceeded, PROXIED, Permit, REQUESTS, STREAMS, UPLOADS},
    connections::{Admission, Connections, Share},
    rate_class::RateClass,
};
use crate::redis_connection::Redis;

/// Time that a call may spend on its budget in Redis (docs/page-cache.md).
pub(crate) const REDIS_TIME_API: Duration = Duration::from_millis(50);

/// Time that a page or a file may spend on its budget in Redis.
pub(crate) const REDIS_TIME_PAGE_LIMIT: Duration = Duration::from_millis(10);

/// The rest of [`REDIS_TIME_API`], in which the page or the file is read from Redis.
pub(crate) const REDIS_TIME_PAGE: Duration = REDIS_TIME_API.saturating_sub(REDIS_TIME_PAGE_LIMIT);

/// Rate limits by client address. Clones share the budgets.
#[derive(Clone)]
pub(crate) struct Limits(Option<Arc<Inner>>);

struct Inner {
    local: Local,
    redis: Option<Arc<Redis>>,
    refused: Counter<u64>,
}

impl Limits {
    /// No rate limits.
    pub(crate) fn off() -> Self {
        Self(None)
    }

    /// Budgets in this process, and with Redis over all gateways.
    pub(crate) fn on(redis: Option<Arc<Redis>>) -> Self {
        let refused = telemetry::counter(
            "gateway.rate_limited",
            "Requests beyond the rate limit of their address",
        );
        Self(Some(Arc::new(Inner { local: Local::new(), redis, refused })))
    }

    /// Spends one request of an address's budget; Redis may take `redis`.
    ///
    /// # Errors
    /// The budget is exhausted: the time until it suffices again.
    pub(crate) async fn spend(
        &self,
        budget: RateClass,
        address: IpAddr,
        redis: Duration,
    ) -> Result<(), Duration> {
        let Some(inner) = &self.0 else { return Ok(()) };
        let address = Address::of(address);
        // The local budget is checked first: one gateway never receives more requests than all of them, and a flood that
        // it rejects does not reach Redis.
        let mut spent = inner.local.spend(budget, address);
        // A request that is rejected for its network does not count against its site.
        if spent.is_ok()
            && let Some(site) = address.site()
        {
            spent = inner.local.spend(budget, site);
        }
        if spent.is_ok()
            && let Some(shared) = &inner.redis
            && let Some(answer) = shared::spend(shared, budget, address, redis).await
        {
            spent = answer;
        }
        if spent.is_err() {
            inner.refused.add(1, &[KeyValue::new("budget", budget.name())]);
        }
        spent
    }
}

/// The owner of a budget: an IPv4 address, or an IPv6 network, which belongs to one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Address {
    V4(u32),
    /// The first 64 bits.
    V6(u64),
    /// The first 48 bits: a site of 65,536 networks.
    V6Site(u64),
}

/// Size of the budget of an IPv6 site, in budgets of one address.
const SITE_BUDGETS: u32 = 16;

impl Address {
    /// The site that an IPv6 network belongs to.
    fn site(self) -> Option<Self> {
        match self {
            Self::V6(network) => Some(Self::V6Site(network >> 16)),
            Self::V4(_) | Self::V6Site(_) => None,
        }
    }

    /// Size of its budget, in budgets of one address.
    fn budgets(self) -> u32 {
        if matches!(self, Self::V6Site(_)) { SITE_BUDGETS } else { 1 }
    }

    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.into()),
            IpAddr::V6(address) => {
                let network = u128::from(address) >> 64;
                Self::V6(u64::try_from(network).unwrap_or(u64::MAX))
            }
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
    fn a_network_of_ipv6_is_one_address() {
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
                && limits.spend(RateClass::Other, address, REDIS_TIME_API).await.is_ok()
            {
                count += 1;
            }
            count
        };
        let mut of_the_site = 0;
        for network in 0..64 {
            of_the_site += granted(format!("2001:db8:1:{network:x}::1")).await;
        }
        // 16 bursts of 100, and what came back while they were spent.
        assert!((1_600..3_200).contains(&of_the_site), "{of_the_site}");
        assert!(granted("2001:db8:2::1".to_owned()).await >= 100);
    }

    #[tokio::test]
    async fn budgets_are_apart_and_off_is_off() {
        let limits = Limits::on(None);
        let (one, other) = (address("1.2.3.4"), address("1.2.3.5"));
        let spend = async |budget, address| limits.spend(budget, address, REDIS_TIME_API).await;
        let mut count = 0;
        while spend(RateClass::Other, one).await.is_ok() {
            count += 1;
        }
        // The burst, and what came back while it was spent.
        assert!((100..=110).contains(&count), "{count}");
        let wait = spend(RateClass::Other, one).await.unwrap_err();
        assert!(wait <= Duration::from_millis(100) && !wait.is_zero(), "{wait:?}");
        assert!(spend(RateClass::Reading, one).await.is_ok());
        assert!(spend(RateClass::Other, other).await.is_ok());
        for _ in 0..1_000 {
            assert!(Limits::off().spend(RateClass::Other, one, REDIS_TIME_API).await.is_ok());
        }
    }
}
