//! Data types and their markets.

use strum::{EnumString, IntoStaticStr};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum Market {
    Us,
    Saudi,
}

impl Market {
    pub const ALL: [Market; 2] = [Market::Us, Market::Saudi];

    /// ISO 4217 code of the market's currency.
    pub fn currency(self) -> &'static str {
        match self {
            Self::Us => "USD",
            Self::Saudi => "SAR",
        }
    }
}

/// The kind of a security.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataType(pub u32);

impl DataType {
    /// 20000 to 29999 are US, all others Saudi.
    pub fn market(self) -> Market {
        if (20_000..30_000).contains(&self.0) { Market::Us } else { Market::Saudi }
    }

    /// Whether it belongs to the special group.
    pub fn is_special(self) -> bool {
        matches!(self.0, 20_003 | 20_010 | 20_011 | 20_012)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_types_have_markets_and_groups() {
        for (number, market, special) in [
            (0, Market::Saudi, false),
            (10_001, Market::Saudi, false),
            (19_999, Market::Saudi, false),
            (20_000, Market::Us, false),
            (20_003, Market::Us, true),
            (20_009, Market::Us, false),
            (20_010, Market::Us, true),
            (20_011, Market::Us, true),
            (20_012, Market::Us, true),
            (20_013, Market::Us, false),
            (29_999, Market::Us, false),
            (30_000, Market::Saudi, false),
            (u32::MAX, Market::Saudi, false),
        ] {
            let kind = DataType(number);
            assert_eq!((kind.market(), kind.is_special()), (market, special), "{number}");
        }
    }

    #[test]
    fn market_names_are_case_sensitive() {
        for market in Market::ALL {
            assert_eq!(market.into_str().parse(), Ok(market));
        }
        assert!("US".parse::<Market>().is_err());
    }
}
