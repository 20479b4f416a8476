//! Securities and their catalogue.

use std::{collections::BTreeMap, sync::Arc};

use strum::FromRepr;

use super::{DataType, Decimal, Market, SecurityCode};

/// Whether a security is traded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromRepr)]
#[repr(u32)]
pub enum Status {
    /// Traded.
    #[default]
    Normal,
    /// No longer traded.
    Delisted,
    /// Trading is suspended.
    Paused,
}

impl Status {
    pub fn number(self) -> u32 {
        self as u32
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
    /// Whether it is offered but not yet listed.
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

    /// The securities with these codes, in the requested order; unknown codes are left out.
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
}

impl FromIterator<Security> for Catalogue {
    fn from_iter<I: IntoIterator<Item = Security>>(securities: I) -> Self {
        let by_code =
            securities.into_iter().map(|security| (security.code.clone(), Arc::new(security)));
        Self { securities: by_code.collect() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::domain::cents;

    fn code(text: &str) -> SecurityCode {
        SecurityCode::parse(text).unwrap()
    }

    fn catalogue() -> Catalogue {
        let security = |name: &str, data_type| Security {
            code: code(name),
            data_type: DataType(data_type),
            exchange: "E".to_owned(),
            name: name.to_owned(),
            name_sa: String::new(),
            level: cents(100),
            status: Status::Normal,
            pre_ipo: false,
        };
        ["2222", "A", "1010", "B", "C"]
            .map(|name| security(name, if name.len() == 4 { 30_001 } else { 20_001 }))
            .into_iter()
            .collect()
    }

    fn names(securities: &[Arc<Security>]) -> Vec<&str> {
        securities.iter().map(|security| &*security.name).collect()
    }

    #[test]
    fn securities_are_listed_after_a_code_by_market() {
        struct Case {
            after: Option<&'static str>,
            market: Option<Market>,
            size: usize,
            expected: &'static [&'static str],
        }
        let case = |after, market, size, expected| Case { after, market, size, expected };
        let catalogue = catalogue();
        for Case { after, market, size, expected } in [
            case(None, None, 9, &["1010", "2222", "A", "B", "C"]),
            case(None, None, 2, &["1010", "2222"]),
            case(None, None, 0, &[]),
            case(Some("2222"), None, 9, &["A", "B", "C"]),
            case(Some("AA"), None, 9, &["B", "C"]),
            case(Some("C"), None, 9, &[]),
            case(None, Some(Market::Us), 2, &["A", "B"]),
            case(Some("1010"), Some(Market::Saudi), 9, &["2222"]),
        ] {
            let found = catalogue.after(after.map(code).as_ref(), market, size);
            assert_eq!(names(&found), expected, "{after:?} {market:?} {size}");
        }
    }

    #[test]
    fn requested_securities_keep_their_order() {
        let catalogue = catalogue();
        let found = catalogue.all_of(&["B", "Z", "1010", "B"].map(code));
        assert_eq!(names(&found), ["B", "1010", "B"]);
        assert!(catalogue.get(&code("Z")).is_none());
        assert_eq!(catalogue.after(None, None, usize::MAX).len(), 5);
        let empty = Catalogue::default();
        assert!(empty.after(None, None, usize::MAX).is_empty());
    }

    #[test]
    fn status_has_its_number() {
        for (number, status) in [
            (0, Some(Status::Normal)),
            (1, Some(Status::Delisted)),
            (2, Some(Status::Paused)),
            (3, None),
        ] {
            assert_eq!(Status::from_repr(number), status, "{number}");
        }
    }
}
