//! The exchanges' trading calendars, date by date.
//!
//! The tables are compiled in. To extend them, add the dates that the exchange announced, move
//! [`LAST_DAY`], and add rows to the tests of `hours.rs`. A date whose hours no exchange has announced
//! yet is [`Hours::Unannounced`]: it is never taken for a trading day. The gauge
//! `quotes.calendar.announced` and a warning in the log tell operators
//! [`super::CALENDAR_WARNING_DAYS`] days ahead.
//!
//! Sources: NYSE Group's holiday and early closing calendar 2026–2028; the Saudi Exchange's
//! holidays of 2026; the official dates of Founding Day (22 February) and National Day
//! (23 September).

use jiff::{
    ToSpan,
    civil::{Date, Weekday, date},
};

use crate::domain::Market;

/// The first day that the calendars cover.
pub(super) const FIRST_DAY: Date = date(2026, 1, 1);
/// The last day that the calendars cover.
pub(super) const LAST_DAY: Date = date(2028, 12, 31);

/// Full closures of NYSE and Nasdaq. New Year's Day of 2028 is a Saturday and is not observed.
const US_CLOSED: [Date; 29] = [
    date(2026, 1, 1),
    date(2026, 1, 19),
    date(2026, 2, 16),
    date(2026, 4, 3),
    date(2026, 5, 25),
    date(2026, 6, 19),
    date(2026, 7, 3),
    date(2026, 9, 7),
    date(2026, 11, 26),
    date(2026, 12, 25),
    date(2027, 1, 1),
    date(2027, 1, 18),
    date(2027, 2, 15),
    date(2027, 3, 26),
    date(2027, 5, 31),
    date(2027, 6, 18),
    date(2027, 7, 5),
    date(2027, 9, 6),
    date(2027, 11, 25),
    date(2027, 12, 24),
    date(2028, 1, 17),
    date(2028, 2, 21),
    date(2028, 4, 14),
    date(2028, 5, 29),
    date(2028, 6, 19),
    date(2028, 7, 4),
    date(2028, 9, 4),
    date(2028, 11, 23),
    date(2028, 12, 25),
];

/// NYSE and Nasdaq close at 13:00.
const US_EARLY: [Date; 5] = [
    date(2026, 11, 27),
    date(2026, 12, 24),
    date(2027, 11, 26),
    date(2028, 7, 3),
    date(2028, 11, 24),
];

/// Full closures of the Saudi Exchange: Founding Day, both feasts, National Day.
const SAUDI_CLOSED: [Date; 13] = [
    date(2026, 2, 22),
    date(2026, 3, 18),
    date(2026, 3, 19),
    date(2026, 3, 22),
    date(2026, 3, 23),
    date(2026, 5, 26),
    date(2026, 5, 27),
    date(2026, 5, 28),
    date(2026, 5, 31),
    date(2026, 9, 23),
    date(2027, 2, 22),
    date(2027, 9, 23),
    date(2028, 2, 22),
];

/// Eid al-Fitr and Eid al-Adha by the Umm al-Qura calendar, in years for which the Saudi Exchange
/// has not announced its closures. They depend on the sighting of the moon and are announced
/// a few weeks ahead.
const SAUDI_FEASTS: [Date; 4] =
    [date(2027, 3, 9), date(2027, 5, 16), date(2028, 2, 26), date(2028, 5, 5)];
/// The closures of past years lie between so many days before the feast and after it.
const FEAST_DAYS_BEFORE: i64 = 6;
const FEAST_DAYS_AFTER: i64 = 8;

/// National Day of 2028 is a Saturday; whether it is observed on another day is announced.
const SAUDI_UNANNOUNCED: [Date; 2] = [date(2028, 9, 21), date(2028, 9, 24)];

/// What the calendar says about a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hours {
    Regular,
    /// US only.
    EarlyClose,
    Closed,
    /// The exchange has not announced them.
    Unannounced,
}

/// The hours of a date.
pub(super) fn hours(market: Market, on: Date) -> Hours {
    let (weekend, closed): (_, &[Date]) = match market {
        Market::Us => ([Weekday::Saturday, Weekday::Sunday], &US_CLOSED),
        Market::Saudi => ([Weekday::Friday, Weekday::Saturday], &SAUDI_CLOSED),
    };
    if weekend.contains(&on.weekday()) || closed.contains(&on) {
        Hours::Closed
    } else if !(FIRST_DAY..=LAST_DAY).contains(&on)
        || market == Market::Saudi && is_unannounced_in_riyadh(on)
    {
        Hours::Unannounced
    } else if market == Market::Us && US_EARLY.contains(&on) {
        Hours::EarlyClose
    } else {
        Hours::Regular
    }
}

fn is_unannounced_in_riyadh(on: Date) -> bool {
    let near = |feast: &Date| {
        let range = *feast - FEAST_DAYS_BEFORE.days()..=*feast + FEAST_DAYS_AFTER.days();
        range.contains(&on)
    };
    SAUDI_UNANNOUNCED.contains(&on) || SAUDI_FEASTS.iter().any(near)
}
