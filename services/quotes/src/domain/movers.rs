//! Movers and breadth of a market.

use std::cmp::{Ordering, Reverse};

use super::{Decimal, Market, Quote, Status, ZERO};

/// The securities with the largest changes.
#[derive(Debug, PartialEq)]
pub struct Movers<'a> {
    /// Those that rose, the largest rise first.
    pub gainers: Vec<&'a Quote>,
    /// Those that fell, the largest fall first.
    pub losers: Vec<&'a Quote>,
}

/// Number of securities by direction of their change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breadth {
    /// Above their previous close.
    pub advancers: u32,
    /// Below it.
    pub decliners: u32,
    /// At it.
    pub unchanged: u32,
}

/// Up to `size` securities of a market in each direction; equal changes are ordered by code.
pub fn movers(quotes: &[Quote], market: Market, size: usize) -> Movers<'_> {
    let mut changes = changes(quotes, market).collect::<Vec<_>>();
    changes.sort_by_cached_key(|(quote, ratio)| (Reverse(*ratio), quote.security.code.clone()));
    let gainers = changes.iter().filter(|(_, ratio)| *ratio > ZERO);
    let gainers = gainers.take(size).map(|(quote, _)| *quote).collect();
    changes.sort_by_cached_key(|(quote, ratio)| (*ratio, quote.security.code.clone()));
    let losers = changes.iter().filter(|(_, ratio)| *ratio < ZERO);
    let losers = losers.take(size).map(|(quote, _)| *quote).collect();
    Movers { gainers, losers }
}

/// Counts the securities of a market by direction.
pub fn breadth(quotes: &[Quote], market: Market) -> Breadth {
    let mut breadth = Breadth::default();
    for (_, ratio) in changes(quotes, market) {
        match ratio.cmp(&ZERO) {
            Ordering::Greater => breadth.advancers += 1,
            Ordering::Less => breadth.decliners += 1,
            Ordering::Equal => breadth.unchanged += 1,
        }
    }
    breadth
}

/// The changes of traded securities that have a last price and a previous close.
fn changes(quotes: &[Quote], market: Market) -> impl Iterator<Item = (&Quote, Decimal)> {
    let of_market = quotes.iter().filter(move |quote| {
        quote.security.market() == market
            && quote.security.status == Status::Normal
            && quote.last.is_some()
            && quote.previous_close.is_some()
    });
    of_market.map(|quote| (quote, quote.change().ratio))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;
    use crate::domain::{DataType, Security, SecurityCode, Session, cents};

    /// A quote whose previous close is 100.00.
    fn quote(code: &str, data_type: u32, last: Option<i64>, status: Status) -> Quote {
        let security = Security {
            code: SecurityCode::parse(code).unwrap(),
            data_type: DataType(data_type),
            exchange: "E".into(),
            name: code.into(),
            name_sa: code.into(),
            level: cents(10_000),
            status,
            pre_ipo: false,
        };
        Quote {
            last: last.map(cents),
            previous_close: Some(cents(10_000)),
            ..Quote::empty(Arc::new(security), Session::Open)
        }
    }

    #[test]
    fn movers_are_ordered_and_exclude_untraded_securities() {
        let quotes = [
            quote("A", 10_001, Some(10_100), Status::Normal),
            quote("B", 10_001, Some(10_300), Status::Normal),
            quote("D", 10_001, Some(10_100), Status::Normal),
            quote("C", 10_001, Some(10_100), Status::Normal),
            quote("FLAT", 10_001, Some(10_000), Status::Normal),
            quote("LOW", 10_001, Some(9_900), Status::Normal),
            quote("LOWEST", 10_001, Some(9_000), Status::Normal),
            quote("PAUSED", 10_001, Some(20_000), Status::Paused),
            quote("DELISTED", 10_001, Some(1), Status::Delisted),
            quote("UNPRICED", 10_001, None, Status::Normal),
            quote("US", 20_001, Some(30_000), Status::Normal),
        ];
        let codes = |quotes: Vec<&Quote>| {
            quotes.iter().map(|quote| quote.security.code.to_string()).collect::<Vec<_>>()
        };
        let Movers { gainers, losers } = movers(&quotes, Market::Saudi, 3);
        assert_eq!(codes(gainers), ["B", "A", "C"]);
        assert_eq!(codes(losers), ["LOWEST", "LOW"]);
        let Movers { gainers, losers } = movers(&quotes, Market::Us, 3);
        assert_eq!((codes(gainers), codes(losers)), (vec!["US".to_owned()], Vec::new()));
        let saudi = Breadth { advancers: 4, decliners: 2, unchanged: 1 };
        assert_eq!(breadth(&quotes, Market::Saudi), saudi);
        assert_eq!(breadth(&quotes, Market::Us), Breadth { advancers: 1, ..Breadth::default() });
    }
}
