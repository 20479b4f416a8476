//! The prices of a trading day.

use std::sync::Arc;

use super::{Decimal, Index, Security, TradingDay};

#[derive(Clone, Debug)]
pub enum SeriesSubject {
    Security(Arc<Security>),
    Index(&'static Index),
}

impl SeriesSubject {
    /// The code by which it is requested.
    pub fn code(&self) -> &str {
        match self {
            Self::Security(security) => security.code.as_str(),
            Self::Index(index) => index.code,
        }
    }
}

/// Prices of a trading day at equal intervals from the opening, then the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct DaySeries {
    /// The code of the security or index.
    pub code: String,
    pub day: TradingDay,
    /// Seconds between two prices.
    pub interval: u32,
    /// Oldest first, all within the day's range.
    pub prices: Vec<Decimal>,
    /// Epoch seconds of the last price.
    pub last_at: u32,
    /// Close of the previous trading day.
    pub previous_close: Decimal,
    /// Whether it is simulated.
    pub simulated: bool,
}
