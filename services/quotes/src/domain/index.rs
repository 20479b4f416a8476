//! Market indices.

use super::{Change, Decimal, Market, Session};

#[derive(Debug, PartialEq, Eq)]
pub struct Index {
    /// Its usual abbreviation, unique among indices.
    pub code: &'static str,
    /// The market that it measures.
    pub market: Market,
    /// In English.
    pub name: &'static str,
    /// In Arabic.
    pub name_sa: &'static str,
    /// Hundredths of a point around which the simulated market moves.
    pub level: i64,
}

/// Every index, Saudi ones first.
pub static INDICES: [Index; 4] = [
    Index {
        code: "TASI", market: Market::Saudi, name: "TASI", name_sa: "تاسي", level: 1_120_000
    },
    Index {
        code: "NOMU", market: Market::Saudi, name: "Nomu", name_sa: "نمو", level: 2_480_000
    },
    Index {
        code: "SPX",
        market: Market::Us,
        name: "S&P 500",
        name_sa: "إس آند بي 500",
        level: 670_000,
    },
    Index {
        code: "IXIC",
        market: Market::Us,
        name: "Nasdaq Composite",
        name_sa: "ناسداك المركّب",
        level: 2_260_000,
    },
];

impl Index {
    pub fn from_code(code: &str) -> Option<&'static Self> {
        INDICES.iter().find(|index| index.code == code)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct IndexQuote {
    pub index: &'static Index,
    /// In points, of the regular session.
    pub value: Decimal,
    /// Value at the close of the previous trading day.
    pub previous_close: Decimal,
    /// Epoch seconds of the value.
    pub time: u32,
    /// Session of the market.
    pub session: Session,
    /// Whether the value is simulated.
    pub simulated: bool,
}

impl IndexQuote {
    /// The change since the previous close.
    pub fn change(&self) -> Change {
        Change::between(Some(self.previous_close), Some(self.value))
    }
}
