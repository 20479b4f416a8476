//! A security's price at any moment of a trading day.

use super::{
    noise::{fractal_noise, mix},
    tick,
};
use crate::domain::{Decimal, Index, Market, Security, TradingDay, cents, to_cents};

/// Fraction of a day's price movement in its regular session; the rest is in the night before.
const DAY: f64 = 0.9;
const NIGHT: f64 = 0.1;

/// Distinguishes the random numbers of volumes from those of prices.
const VOLUME_SALT: u64 = 0x766f_6c75_6d65;

/// Units that the least traded securities trade on an average day.
const MIN_DAILY_VOLUME: u64 = 200_000;

/// Funds and the index of the same market that each tracks.
const INDEX_FUNDS: [(&str, &str); 6] = [
    ("SPY", "SPX"),
    ("VOO", "SPX"),
    ("DIA", "SPX"),
    ("SPUS", "SPX"),
    ("HLAL", "SPX"),
    ("QQQ", "IXIC"),
];

/// The price path of a security or index.
pub(super) struct PricePath {
    key: u64,
    /// Key of the noise; a fund has the one of its index.
    noise_key: u64,
    /// Market whose price bands determine rounding; `None` for an index.
    bands: Option<Market>,
    level: Decimal,
    /// Seconds between two trades.
    trade_interval: u32,
}

/// Price range of a day so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    day: i32,
    /// The last included trade.
    trade: u32,
    pub(super) previous_close: Decimal,
    pub(super) open: Decimal,
    pub(super) high: Decimal,
    pub(super) low: Decimal,
}

impl PricePath {
    pub(super) fn new(seed: u64, security: &Security) -> Self {
        Self::of(seed, security.code.as_str(), security.level, Some(security.market()))
    }

    /// The price path of an index.
    pub(super) fn of_index(seed: u64, index: &Index) -> Self {
        Self::of(seed, index.code, cents(index.level), None)
    }

    fn of(seed: u64, code: &str, level: Decimal, bands: Option<Market>) -> Self {
        let key_of =
            |code: &str| code.bytes().fold(mix(seed, 1), |key, byte| mix(key, u64::from(byte)));
        let key = key_of(code);
        let index = INDEX_FUNDS.iter().find(|(fund, _)| *fund == code);
        let noise_key = index.map_or(key, |(_, index)| key_of(index));
        let trade_interval = 10 + u32::try_from(key % 20).unwrap_or(0);
        Self { key, noise_key, bands, level, trade_interval }
    }

    /// The last trade of the regular session up to `seconds` (epoch), with its time. The time of
    /// all closing prices of a market is the last second of its session.
    pub(super) fn last(&self, day: &TradingDay, seconds: u32) -> (Decimal, u32) {
        let trade = self.trade_at(day, seconds);
        let is_close = seconds >= day.closes;
        let at = if is_close { day.closes - 1 } else { day.opens + trade * self.trade_interval };
        (self.price_of(day, trade), at)
    }

    /// The last trade of a day's regular session.
    pub(super) fn close(&self, day: &TradingDay) -> (Decimal, u32) {
        self.last(day, day.closes)
    }

    /// The last trade before the opening.
    pub(super) fn before(&self, day: &TradingDay, seconds: u32) -> (Decimal, u32) {
        let (begins, opens) = (day.begins, day.opens);
        let (part, at) = self.part(begins, opens, seconds);
        (self.price(f64::from(day.number) + NIGHT * (0.5 + 0.5 * part)), at)
    }

    /// The last trade after the close.
    pub(super) fn after(&self, day: &TradingDay, seconds: u32) -> (Decimal, u32) {
        let (part, at) = self.part(day.closes, day.ends, seconds);
        (self.price(f64::from(day.number) + NIGHT + DAY + NIGHT * 0.5 * part), at)
    }

    /// Open, high and low of a day up to `seconds` (epoch); continues from a `known` range of the
    /// day.
    pub(super) fn range(
        &self,
        known: Option<Range>,
        day: &TradingDay,
        before: &TradingDay,
        seconds: u32,
    ) -> Range {
        let trade = self.trade_at(day, seconds);
        let known = known.filter(|range| range.day == day.number && range.trade <= trade);
        let mut range = known.unwrap_or_else(|| {
            let open = self.price_of(day, 0);
            Range {
                day: day.number,
                trade: 0,
                previous_close: self.close(before).0,
                open,
                high: open,
                low: open,
            }
        });
        for trade in range.trade + 1..=trade {
            let price = self.price_of(day, trade);
            range.high = range.high.max(price);
            range.low = range.low.min(price);
        }
        range.trade = trade;
        range
    }

    /// Units traded from the opening up to `seconds` (epoch).
    pub(super) fn volume(&self, day: &TradingDay, seconds: u32) -> u64 {
        let key = mix(self.key, VOLUME_SALT);
        let average = MIN_DAILY_VOLUME << (key % 8);
        let per_mille = 600 + mix(key, u64::from(day.number.unsigned_abs())) % 801;
        let whole = average * per_mille / 1000;
        let trades = u64::from(self.trade_at(day, day.closes)) + 1;
        share_of_volume(whole, u64::from(self.trade_at(day, seconds)) + 1, trades)
    }

    /// The number of the last trade up to `seconds`; trades are numbered from 0 at the opening.
    fn trade_at(&self, day: &TradingDay, seconds: u32) -> u32 {
        (seconds.clamp(day.opens, day.closes) - day.opens) / self.trade_interval
    }

    fn price_of(&self, day: &TradingDay, trade: u32) -> Decimal {
        let part = f64::from(trade * self.trade_interval) / f64::from(day.closes - day.opens);
        self.price(f64::from(day.number) + NIGHT + DAY * part)
    }

    /// The fraction of a span that has passed at its last trade, and the time of that trade.
    fn part(&self, from: u32, to: u32, seconds: u32) -> (f64, u32) {
        let passed = seconds.clamp(from, to) - from;
        let passed = passed - passed % self.trade_interval;
        (f64::from(passed) / f64::from(to - from), from + passed)
    }

    fn price(&self, days: f64) -> Decimal {
        let level = to_cents(self.level).unwrap_or(0).max(1);
        #[expect(clippy::cast_precision_loss, reason = "prices are small")]
        let exact = level as f64 * (1.0 + fractal_noise(self.noise_key, days));
        #[expect(clippy::cast_possible_truncation, reason = "prices are small")]
        let rounded = (exact + 0.5).floor() as i64;
        let tick = self.bands.map_or(1, |market| tick(market, rounded));
        cents(((rounded + tick / 2) / tick * tick).max(tick))
    }
}

/// The volume of the first `done` of a day's `trades` trades. Trading is heaviest at the opening and
/// the close: after the fraction `p` of the trades, the fraction of the volume is
/// `0.6p + 0.2((2p - 1)³ + 1)`. Integers give the same result on every machine.
fn share_of_volume(whole: u64, done: u64, trades: u64) -> u64 {
    let (whole, done, trades) = (i128::from(whole), i128::from(done), i128::from(trades));
    let cube = trades.pow(3);
    let part = 3 * done * trades.pow(2) + (2 * done - trades).pow(3) + cube;
    u64::try_from(whole * part / (5 * cube)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volume_grows_fastest_at_the_opening_and_the_close() {
        struct Case {
            done: u64,
            volume: u64,
        }
        for case in [
            Case { done: 1, volume: 17 },
            Case { done: 10, volume: 157 },
            Case { done: 50, volume: 500 },
            Case { done: 60, volume: 561 },
            Case { done: 100, volume: 1000 },
        ] {
            assert_eq!(share_of_volume(1000, case.done, 100), case.volume, "{}", case.done);
        }
    }
}
