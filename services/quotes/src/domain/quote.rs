//! A quote, independent of the provider.

use std::sync::Arc;

use super::{Decimal, Security, Session, ZERO, ratio};

/// The last price of a security with related data.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    pub security: Arc<Security>,
    /// Last trade of the regular session.
    pub last: Option<Decimal>,
    /// Close of the previous trading day.
    pub previous_close: Option<Decimal>,
    /// First trade of the day.
    pub open: Option<Decimal>,
    /// Highest trade of the day.
    pub high: Option<Decimal>,
    /// Lowest trade of the day.
    pub low: Option<Decimal>,
    /// Units traded in the regular session of the day.
    pub volume: Option<u64>,
    /// Epoch seconds of the last trade; 0 if there is none.
    pub time: u32,
    /// The state of the market.
    pub session: Session,
    /// The last price outside the regular session.
    pub extended: Option<Extended>,
    /// Whether the quote is real-time, not delayed.
    pub real_time: bool,
    /// Whether the quote is stale because the provider does not respond.
    pub old: bool,
    /// Whether it is simulated.
    pub simulated: bool,
}

/// The last price outside the regular session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extended {
    pub last: Decimal,
    /// Before the opening or after the close.
    pub session: Session,
    /// Epoch seconds.
    pub time: u32,
}

/// A change, in currency and as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// In currency, signed.
    pub amount: Decimal,
    /// As a fraction of the earlier price.
    pub ratio: Decimal,
}

impl Change {
    /// The change between two prices; zero if either is missing or zero.
    pub fn between(before: Option<Decimal>, now: Option<Decimal>) -> Change {
        let known = before.zip(now).filter(|(before, _)| *before > ZERO);
        let change = known.and_then(|(before, now)| {
            let amount = now - before;
            Some(Change { amount, ratio: ratio(amount, before)? })
        });
        change.unwrap_or(Change { amount: ZERO, ratio: ZERO })
    }
}

impl Quote {
    /// A quote without any price.
    pub fn empty(security: Arc<Security>, session: Session) -> Quote {
        Quote {
            security,
            last: None,
            previous_close: None,
            open: None,
            high: None,
            low: None,
            volume: None,
            time: 0,
            session,
            extended: None,
            real_time: false,
            old: false,
            simulated: false,
        }
    }

    /// The change since the previous close.
    pub fn change(&self) -> Change {
        Change::between(self.previous_close, self.last)
    }

    /// The same quote, marked as old.
    pub fn aged(&self) -> Quote {
        Quote { old: true, real_time: false, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain;

    #[test]
    fn change_without_prices_is_zero() {
        let cents = |number| Some(domain::cents(number));
        for (before, now, amount, ratio) in [
            (cents(2500), cents(2540), "0.40", "0.016"),
            (cents(2540), cents(2500), "-0.40", "-0.015748"),
            (cents(2500), cents(2500), "0.00", "0.00"),
            (None, cents(2500), "0.00", "0.00"),
            (cents(2500), None, "0.00", "0.00"),
            (cents(0), cents(2500), "0.00", "0.00"),
            (None, None, "0.00", "0.00"),
        ] {
            let change = Change::between(before, now);
            assert_eq!((&*change.amount.to_string(), &*change.ratio.to_string()), (amount, ratio));
        }
    }
}
