//! How long ago each market's last price arrived.

use std::collections::HashMap;

use crate::domain::Market;

/// The ages of both markets' prices; times are epoch milliseconds.
#[derive(Debug)]
pub(super) struct PriceAges {
    started_at: u64,
    markets: HashMap<Market, Prices>,
}

#[derive(Clone, Copy, Debug)]
struct Prices {
    arrived_at: u64,
    /// Whether the latest request for them was answered.
    is_current: bool,
}

impl PriceAges {
    /// Before the first request.
    pub(super) fn new(started_at: u64) -> Self {
        Self { started_at, markets: HashMap::new() }
    }

    /// Records that the provider returned prices of this market.
    pub(super) fn arrived(&mut self, market: Market, now: u64) {
        self.markets.insert(market, Prices { arrived_at: now, is_current: true });
    }

    /// Records that the provider returned no price of this market to a request for some.
    pub(super) fn missing(&mut self, market: Market) {
        let none = Prices { arrived_at: self.started_at, is_current: false };
        self.markets.entry(market).or_insert(none).is_current = false;
    }

    /// The age of a market's prices in seconds: 0 while requests succeed. Prices that nobody
    /// requests do not age.
    pub(super) fn seconds(&self, market: Market, now: u64) -> u64 {
        let old = self.markets.get(&market).filter(|prices| !prices.is_current);
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
        ages.missing(Market::Us);
        assert_eq!(ages.seconds(Market::Us, 91_000), 90, "there was none since the start");
        ages.arrived(Market::Us, 95_000);
        assert_eq!(ages.seconds(Market::Us, 200_000), 0);
        ages.missing(Market::Us);
        ages.missing(Market::Us);
        assert_eq!(ages.seconds(Market::Us, 200_000), 105);
        assert_eq!(ages.seconds(Market::Saudi, 200_000), 0, "markets are apart");
        ages.arrived(Market::Us, 201_000);
        assert_eq!(ages.seconds(Market::Us, 201_000), 0);
    }
}
