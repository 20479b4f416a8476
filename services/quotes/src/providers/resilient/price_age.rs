//! How long ago each market's last price arrived.

use std::collections::HashMap;

use crate::domain::Market;

/// How long prices age after the last failed request, in milliseconds; longer than the circuit
/// breaker rejects requests. After that, prices are not requested, or another replica is called.
const REQUESTED_MS: u64 = 60_000;

/// The ages of both markets' prices; times are epoch milliseconds.
#[derive(Debug)]
pub(super) struct PriceAges {
    started_at: u64,
    markets: HashMap<Market, Prices>,
}

#[derive(Clone, Copy, Debug)]
struct Prices {
    arrived_at: u64,
    /// When the latest request returned no price; `None` if it returned one.
    missed_at: Option<u64>,
}

impl PriceAges {
    /// The state before the first request.
    pub(super) fn new(started_at: u64) -> Self {
        Self { started_at, markets: HashMap::new() }
    }

    /// Records that the provider returned prices of this market.
    pub(super) fn arrived(&mut self, market: Market, now: u64) {
        self.markets.insert(market, Prices { arrived_at: now, missed_at: None });
    }

    /// Records that a request for prices of this market returned none.
    pub(super) fn missing(&mut self, market: Market, now: u64) {
        let none = Prices { arrived_at: self.started_at, missed_at: None };
        self.markets.entry(market).or_insert(none).missed_at = Some(now);
    }

    /// The age of a market's prices in seconds: 0 while requests succeed. Prices that nobody
    /// requests do not age.
    pub(super) fn seconds(&self, market: Market, now: u64) -> u64 {
        let is_requested = |missed_at| now.saturating_sub(missed_at) <= REQUESTED_MS;
        let old =
            self.markets.get(&market).filter(|prices| prices.missed_at.is_some_and(is_requested));
        old.map_or(0, |prices| now.saturating_sub(prices.arrived_at) / 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_age_from_their_arrival_on_while_requests_fail() {
        let mut ages = PriceAges::new(1_000);
        assert_eq!(ages.seconds(Market::Us, 90_000), 0, "no request yet");
        ages.missing(Market::Us, 91_000);
        assert_eq!(ages.seconds(Market::Us, 91_000), 90, "there was none since the start");
        ages.arrived(Market::Us, 95_000);
        assert_eq!(ages.seconds(Market::Us, 200_000), 0);
        ages.missing(Market::Us, 199_000);
        ages.missing(Market::Us, 200_000);
        assert_eq!(ages.seconds(Market::Us, 200_000), 105);
        assert_eq!(ages.seconds(Market::Saudi, 200_000), 0, "markets are apart");
        ages.arrived(Market::Us, 201_000);
        assert_eq!(ages.seconds(Market::Us, 201_000), 0);
        ages.missing(Market::Us, 300_000);
        assert_eq!(ages.seconds(Market::Us, 360_000), 159, "the circuit breaker rejects requests");
        assert_eq!(ages.seconds(Market::Us, 360_001), 0, "nobody requests them any more");
    }
}
