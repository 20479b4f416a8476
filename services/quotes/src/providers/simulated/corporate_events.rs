//! Simulated results and dividends: once a quarter for each security, a pure function of seed,
//! security and quarter. They state nothing about the issuers.

use std::sync::Arc;

use jiff::{
    Span, ToSpan,
    civil::{Date, date},
};

use super::noise::mix;
use crate::domain::{
    Calendar, CorporateEvent, CorporateEventType, DataType, DateRange, Decimal, Security, Status,
    cents,
};

/// Distinguishes the random numbers of events from those of prices.
const EVENTS_SALT: u64 = 0x6576_656e_7473;

/// Exchange-traded funds have no results.
const US_ETF: DataType = DataType(20_002);

/// Days from the start of a quarter to results: fewer than this.
const RESULTS_DAYS: u64 = 75;

/// Days from results to the ex-dividend date, and from there to the payment: a minimum, and the
/// length of the range above it.
const EX_DIVIDEND_DAYS: (u64, u64) = (7, 8);
const PAYMENT_DAYS: (u64, u64) = (14, 8);

/// Upper bound on the days from the start of a quarter to its last event, including those to the
/// next trading day.
const MAX_CYCLE_DAYS: i32 = 150;

/// Upper bound on the days to the next trading day.
const MAX_HOLIDAY_DAYS: i32 = 30;

/// The events of a security in a range of dates.
pub(super) fn corporate_events(
    seed: u64,
    security: &Arc<Security>,
    range: DateRange,
    calendar: &Calendar,
) -> Vec<CorporateEvent> {
    if security.status != Status::Normal || security.pre_ipo {
        return Vec::new();
    }
    let code = security.code.as_str().bytes();
    let key = code.fold(mix(seed, EVENTS_SALT), |key, byte| mix(key, u64::from(byte)));
    let first = quarter_of(range.from.saturating_sub(MAX_CYCLE_DAYS.days()));
    let quarters = first..=quarter_of(range.to);
    let cycles = quarters.flat_map(|quarter| cycle(key, security, quarter));
    let events = cycles.filter_map(|(event_type, nominal, amount_per_share)| {
        let earliest = range.from.saturating_sub(MAX_HOLIDAY_DAYS.days());
        if !(earliest..=range.to).contains(&nominal) {
            return None;
        }
        let date = calendar.first_trading_day(security.market(), nominal)?;
        range.contains(date).then(|| CorporateEvent {
            security: security.clone(),
            event_type,
            date,
            amount_per_share,
            simulated: true,
        })
    });
    events.collect()
}

/// The events of a quarter on their nominal dates, which need not be trading days.
fn cycle(
    key: u64,
    security: &Security,
    quarter: i32,
) -> Vec<(CorporateEventType, Date, Option<Decimal>)> {
    let random = mix(key, u64::from(quarter.unsigned_abs()));
    let part = |salt: u64, length: u64| mix(random, salt) % length;
    let results = start_of(quarter).saturating_add(days(part(1, RESULTS_DAYS)));
    let mut events = Vec::new();
    if security.data_type != US_ETF {
        events.push((CorporateEventType::Results, results, None));
    }
    // Three of four securities pay dividends.
    if !key.is_multiple_of(4) {
        let (least, more) = EX_DIVIDEND_DAYS;
        let ex_dividend = results.saturating_add(days(least + part(2, more)));
        let (least, more) = PAYMENT_DAYS;
        let payment = ex_dividend.saturating_add(days(least + part(3, more)));
        let amount = Some(dividend(security, random));
        events.push((CorporateEventType::ExDividend, ex_dividend, amount));
        events.push((CorporateEventType::DividendPayment, payment, amount));
    }
    events
}

/// 0.2 to 1 % of the price around which the security moves.
fn dividend(security: &Security, random: u64) -> Decimal {
    let per_mille = 2 + i64::try_from(random % 9).unwrap_or(0);
    (security.level * Decimal::new(per_mille, 3)).trunc_with_scale(2).max(cents(1))
}

fn days(count: u64) -> Span {
    i64::try_from(count).unwrap_or(0).days()
}

/// Quarters are numbered from 0 at the beginning of the calendar's year 0.
fn quarter_of(on: Date) -> i32 {
    i32::from(on.year()) * 4 + (i32::from(on.month()) - 1) / 3
}

fn start_of(quarter: i32) -> Date {
    let year = i16::try_from(quarter.div_euclid(4)).unwrap_or(i16::MAX);
    let month = i8::try_from(quarter.rem_euclid(4) * 3 + 1).unwrap_or(1);
    Date::new(year, month, 1).unwrap_or(date(1970, 1, 1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        domain::{Market, ZERO},
        seed,
    };

    /// Every event of the built-in securities in 2027.
    fn events_of_2027(seed: u64) -> Vec<CorporateEvent> {
        let calendar = Calendar::built_in().unwrap();
        let range = DateRange { from: date(2027, 1, 1), to: date(2027, 12, 31) };
        let securities = seed::securities().unwrap();
        let securities = securities.into_iter().map(Arc::new);
        securities.flat_map(|one| corporate_events(seed, &one, range, &calendar)).collect()
    }

    #[test]
    fn events_are_on_trading_days_of_traded_securities() {
        let calendar = Calendar::built_in().unwrap();
        let events = events_of_2027(1);
        for market in Market::ALL {
            let of_market = events.iter().filter(|event| event.security.market() == market);
            assert!(of_market.count() > 1000, "{market:?}");
        }
        for event in &events {
            let security = &event.security;
            assert!(calendar.day(security.market(), event.date).is_some(), "{event:?}");
            assert!(security.status == Status::Normal && !security.pre_ipo, "{event:?}");
            let is_dividend = event.event_type != CorporateEventType::Results;
            let amount = event.amount_per_share;
            assert_eq!(amount.is_some_and(|amount| amount > ZERO), is_dividend);
            assert!(is_dividend || security.data_type != US_ETF, "{event:?}");
            assert!(event.simulated);
        }
        assert_eq!(events, events_of_2027(1));
        assert_ne!(events, events_of_2027(2));
    }

    #[test]
    fn payment_follows_the_ex_dividend_date_with_the_same_amount() {
        let mut dividends = 0;
        let events = events_of_2027(1);
        for pair in events.windows(2) {
            let [event, next] = pair else { continue };
            if event.event_type == CorporateEventType::ExDividend && event.security == next.security
            {
                assert_eq!(next.event_type, CorporateEventType::DividendPayment);
                assert!(next.date > event.date, "{event:?} {next:?}");
                assert_eq!(next.amount_per_share, event.amount_per_share);
                dividends += 1;
            }
        }
        assert!(dividends > 500, "{dividends}");
    }

    #[test]
    fn parts_of_a_range_have_the_events_of_the_whole() {
        let calendar = Calendar::built_in().unwrap();
        let securities = seed::securities().unwrap();
        let security = securities.into_iter().find(|one| one.code.as_str() == "2222").unwrap();
        let security = Arc::new(security);
        let of = |from, to| corporate_events(1, &security, DateRange { from, to }, &calendar);
        let mut whole = of(date(2027, 1, 1), date(2027, 12, 31));
        let days = date(2027, 1, 1).series(1.day()).take(365);
        let mut parts = days.flat_map(|day| of(day, day)).collect::<Vec<_>>();
        parts.sort_by_key(CorporateEvent::id);
        whole.sort_by_key(CorporateEvent::id);
        assert!(!whole.is_empty());
        assert_eq!(parts, whole);
    }
}
