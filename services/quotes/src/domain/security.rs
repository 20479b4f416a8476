//! Securities and their catalogue.

use std::{collections::BTreeMap, sync::Arc};

use super::{DataType, Decimal, Market, SecurityCode};

/// Whether a security is traded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// It does.
    #[default]
    Normal,
    /// Not any more.
    Delisted,
    /// Not at present.
    Paused,
}

impl Status {
    pub fn number(self) -> u32 {
        match self {
            Self::Normal => 0,
            Self::Delisted => 1,
            Self::Paused => 2,
        }
    }

    pub fn from_number(number: u32) -> Option<Self> {
        [Self::Normal, Self::Delisted, Self::Paused]
            .into_iter()
            .find(|status| status.number() == number)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Security {
    /// Its code, unique among securities.
    pub code: SecurityCode,
    /// Its data type, which determines the market.
    pub data_type: DataType,
    /// Where it is listed, for instance `Nasdaq`.
    pub exchange: String,
    /// In English.
    pub name: String,
    /// In Arabic.
    pub name_sa: String,
    /// The price around which the simulated market moves.
    pub level: Decimal,
    pub status: Status,
    /// Whether it is an offering before its listing.
    pub pre_ipo: bool,
}

impl Security {
    pub fn market(&self) -> Market {
        self.data_type.market()
    }
}

/// Every known security by code.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    securities: BTreeMap<SecurityCode, Arc<Security>>,
}

impl Catalogue {
    pub fn get(&self, code: &SecurityCode) -> Option<&Arc<Security>> {
        self.securities.get(code)
    }

    /// The known ones of the requested codes, in the requested order.
    pub fn all_of(&self, codes: &[SecurityCode]) -> Vec<Arc<Security>> {
        codes.iter().filter_map(|code| self.get(code).cloned()).collect()
    }

    /// Up to `size` securities after a code, of one market or both.
    pub fn after(
        &self,
        code: Option<&SecurityCode>,
        market: Option<Market>,
        size: usize,
    ) -> Vec<Arc<Security>> {
        use std::ops::Bound::{Excluded, Unbounded};
        let from = code.map_or(Unbounded, |code| Excluded(code.clone()));
        let is_in_market =
            |security: &&Arc<Security>| market.is_none_or(|m| security.market() == m);
        let following = self.securities.range((from, Unbounded)).map(|(_, security)| security);
        following.filter(is_in_market).take(size).cloned().collect()
    }

    pub fn len(&self) -> usize {
        self.securities.len()
    }

    pub fn is_empty(&self) -> bool {
        self.securities.is_empty()
    }
}

impl FromIterator<Security> for Catalogue {
    fn from_iter<I: IntoIterator<Item = Security>>(securities: I) -> Self {
        let by_code =
            securities.into_iter().map(|security| (security.code.clone(), Arc::new(security)));
        Self { securities: by_code.collect() }
    }
}
