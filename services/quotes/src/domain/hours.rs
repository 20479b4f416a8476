//! Trading hours of the exchanges: sessions, holidays, time zones, early closes.

mod exchange_days;

use std::sync::Arc;

use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{Date, DateTime, date},
    tz::TimeZone,
};

use super::Market;
use exchange_days::{ExchangeDays, Hours};

pub use exchange_days::CalendarError;

/// US Eastern Time with the daylight saving rules in force since 2007.
const NEW_YORK: &str = "EST5EDT,M3.2.0,M11.1.0";

/// UTC+3, all year.
const RIYADH: &str = "<+03>-3";

/// Maximum number of days that a search for the next trading day covers.
const SEARCH_DAYS: u32 = 30;

/// Operators are warned this many days before the first date without announced hours.
pub const CALENDAR_WARNING_DAYS: u64 = 60;

/// Upper bound on the days that [`Calendar::announced_days`] counts.
const MAX_ANNOUNCED_DAYS: u64 = 366;

/// The session of a market (market-time type).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session {
    Unknown = 0,
    /// The regular session.
    Open = 1,
    /// US pre-market, Saudi opening auction.
    Before = 2,
    /// US after-hours, Saudi closing auction and trade-at-last.
    After = 3,
    /// No trading.
    Closed = 4,
}

impl Session {
    /// The session's number in proto messages.
    pub fn number(self) -> u32 {
        self as u32
    }
}

/// A day on which a market trades; times are epoch seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TradingDay {
    /// The exchange's date.
    pub date: Date,
    /// Days since 1970-01-01.
    pub number: i32,
    /// When orders are first accepted.
    pub begins: u32,
    /// When the regular session opens.
    pub opens: u32,
    /// When the regular session closes.
    pub closes: u32,
    /// When all trading ends.
    pub ends: u32,
}

/// The state of a market at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketTime {
    /// The session; unknown on a date without announced hours.
    pub session: Session,
    /// Epoch seconds of the next change of session, including to and from unknown; 0 if no later
    /// date is announced.
    pub next_change_at: u32,
    /// The day that prices belong to: today after its opening, otherwise the last trading day.
    /// Dates without announced hours count as trading days, except weekends.
    pub day: TradingDay,
    /// The trading day before `day`.
    pub before: TradingDay,
    pub next: TradingDay,
}

/// The calendars of both markets.
#[derive(Clone, Debug)]
pub struct Calendar {
    us: Exchange,
    saudi: Exchange,
}

/// An exchange's time zone and table of days; clones share the table.
#[derive(Clone, Debug)]
struct Exchange {
    zone: TimeZone,
    days: Arc<ExchangeDays>,
}

/// A time outside the years of the calendars.
#[derive(Clone, Debug, thiserror::Error)]
#[error("no trading day around {0}")]
pub struct NoTradingDay(u32);

impl Calendar {
    /// The built-in calendars.
    ///
    /// # Errors
    /// Never in practice, because tests parse the tables.
    pub fn built_in() -> Result<Self, CalendarError> {
        Self::from_json(exchange_days::BUILT_IN)
    }

    /// The calendars of a file in the format of `calendars/exchanges.json`.
    ///
    /// # Errors
    /// The text has another format, or a row contradicts its table.
    pub fn from_json(json: &str) -> Result<Self, CalendarError> {
        let (us, saudi) = exchange_days::parse(json)?;
        Ok(Self {
            us: Exchange { zone: TimeZone::posix(NEW_YORK)?, days: Arc::new(us) },
            saudi: Exchange { zone: TimeZone::posix(RIYADH)?, days: Arc::new(saudi) },
        })
    }

    /// IANA name of a market's time zone.
    pub fn zone_name(market: Market) -> &'static str {
        match market {
            Market::Us => "America/New_York",
            Market::Saudi => "Asia/Riyadh",
        }
    }

    /// The state of a market at a moment in epoch seconds.
    pub fn at(&self, market: Market, seconds: u32) -> Result<MarketTime, NoTradingDay> {
        let unknown = || NoTradingDay(seconds);
        let today = self.date(market, seconds)?;
        let this = self.day(market, today);
        let (day, next) = match this.filter(|day| seconds >= day.opens) {
            Some(day) => (day, self.after(market, today).ok_or_else(unknown)?),
            None => {
                let day = self.before(market, today).ok_or_else(unknown)?;
                let next = this.or_else(|| self.after(market, today)).ok_or_else(unknown)?;
                (day, next)
            }
        };
        let before = self.before(market, day.date).ok_or_else(unknown)?;
        if self.hours(market, today) == Hours::Unannounced {
            let session = Session::Unknown;
            let next_change_at = self.announced_from(market, today).unwrap_or(0);
            return Ok(MarketTime { session, next_change_at, day, before, next });
        }
        let (session, next_change_at) = [
            (day.closes, Session::Open),
            (day.ends, Session::After),
            (next.begins, Session::Closed),
            (next.opens, Session::Before),
        ]
        .into_iter()
        .find_map(|(until, session)| (seconds < until).then_some((session, until)))
        .ok_or_else(unknown)?;
        let next_change_at = match self.unannounced_from(market, today, next.date) {
            Some(start) => next_change_at.min(start),
            None => next_change_at,
        };
        Ok(MarketTime { session, next_change_at, day, before, next })
    }

    /// The exchange's date at a moment in epoch seconds.
    pub fn date(&self, market: Market, seconds: u32) -> Result<Date, NoTradingDay> {
        let timestamp = Timestamp::from_second(i64::from(seconds));
        let timestamp = timestamp.map_err(|_| NoTradingDay(seconds))?;
        Ok(self.zone(market).to_datetime(timestamp).date())
    }

    /// The first trading day on or after a date; `None` outside the years of the calendars.
    pub fn first_trading_day(&self, market: Market, from: Date) -> Option<Date> {
        self.day(market, from).or_else(|| self.after(market, from)).map(|day| day.date)
    }

    /// Number of days from this moment on for which a market's hours are announced, at most 366.
    pub fn announced_days(&self, market: Market, seconds: u32) -> u64 {
        let Ok(today) = self.date(market, seconds) else { return 0 };
        let announced = today.series(1.day()).zip(0..MAX_ANNOUNCED_DAYS);
        announced.take_while(|&(date, _)| self.hours(market, date) != Hours::Unannounced).count()
            as u64
    }

    /// Start of the first date after `on` with announced hours, in epoch seconds.
    fn announced_from(&self, market: Market, on: Date) -> Option<u32> {
        let last_day = self.exchange(market).days.last_day();
        self.first_after(market, on, last_day, |hours| hours != Hours::Unannounced)
    }

    /// Start of the first date after `after`, up to `to`, without announced hours, in epoch
    /// seconds.
    fn unannounced_from(&self, market: Market, after: Date, to: Date) -> Option<u32> {
        self.first_after(market, after, to, |hours| hours == Hours::Unannounced)
    }

    fn first_after(
        &self,
        market: Market,
        after: Date,
        to: Date,
        matches: fn(Hours) -> bool,
    ) -> Option<u32> {
        let mut later = after.tomorrow().ok()?.series(1.day()).take_while(|&date| date <= to);
        let first = later.find(|&date| matches(self.hours(market, date)))?;
        self.seconds(market, first.at(0, 0, 0, 0))
    }

    /// A local time in epoch seconds.
    fn seconds(&self, market: Market, local: DateTime) -> Option<u32> {
        let timestamp = self.zone(market).to_timestamp(local).ok()?;
        u32::try_from(timestamp.as_second()).ok()
    }

    /// The trading day of a date; `None` on weekends and holidays.
    pub fn day(&self, market: Market, on: Date) -> Option<TradingDay> {
        let [begins, opens, closes, ends] = match (market, self.hours(market, on)) {
            (_, Hours::Closed) => return None,
            (Market::Us, Hours::EarlyClose) => [(4, 0), (9, 30), (13, 0), (17, 0)],
            (Market::Us, _) => [(4, 0), (9, 30), (16, 0), (20, 0)],
            (Market::Saudi, _) => [(9, 30), (10, 0), (15, 0), (15, 20)],
        };
        let at = |(hour, minute): (i8, i8)| self.seconds(market, on.at(hour, minute, 0, 0));
        let since: SignedDuration = on.duration_since(date(1970, 1, 1));
        Some(TradingDay {
            date: on,
            number: i32::try_from(since.as_hours() / 24).ok()?,
            begins: at(begins)?,
            opens: at(opens)?,
            closes: at(closes)?,
            ends: at(ends)?,
        })
    }

    fn before(&self, market: Market, on: Date) -> Option<TradingDay> {
        self.search(market, on, |date| date.yesterday().ok())
    }

    fn after(&self, market: Market, on: Date) -> Option<TradingDay> {
        self.search(market, on, |date| date.tomorrow().ok())
    }

    fn search(
        &self,
        market: Market,
        from: Date,
        step: impl Fn(Date) -> Option<Date>,
    ) -> Option<TradingDay> {
        let mut date = from;
        (0..SEARCH_DAYS).find_map(|_| {
            date = step(date)?;
            self.day(market, date)
        })
    }

    fn hours(&self, market: Market, on: Date) -> Hours {
        self.exchange(market).days.hours(on)
    }

    fn zone(&self, market: Market) -> &TimeZone {
        &self.exchange(market).zone
    }

    fn exchange(&self, market: Market) -> &Exchange {
        match market {
            Market::Us => &self.us,
            Market::Saudi => &self.saudi,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    /// 2028-12-28T00:00:00Z: after the last trading day no date is announced.
    const LAST_WEEK_OF_2028: u32 = 1_861_574_400;

    fn seconds(utc: &str) -> u32 {
        let timestamp: Timestamp = utc.parse().unwrap();
        u32::try_from(timestamp.as_second()).unwrap()
    }

    #[test]
    fn sessions_follow_local_time_with_daylight_saving_and_holidays() {
        let calendar = Calendar::built_in().unwrap();
        use Market::{Saudi, Us};
        use Session::{After, Before, Closed, Open};
        for (market, utc, session, day, change) in [
            // Winter time: New York is 5 hours behind, from 1 November.
            (Us, "2026-11-20T14:29:59Z", Before, "2026-11-19", "2026-11-20T14:30:00Z"),
            (Us, "2026-11-20T14:30:00Z", Open, "2026-11-20", "2026-11-20T21:00:00Z"),
            (Us, "2026-11-20T21:00:00Z", After, "2026-11-20", "2026-11-21T01:00:00Z"),
            (Us, "2026-11-21T01:00:00Z", Closed, "2026-11-20", "2026-11-23T09:00:00Z"),
            // Summer time: 4 hours, from 8 March.
            (Us, "2026-03-06T14:29:59Z", Before, "2026-03-05", "2026-03-06T14:30:00Z"),
            (Us, "2026-03-09T13:30:00Z", Open, "2026-03-09", "2026-03-09T20:00:00Z"),
            (Us, "2026-10-30T13:30:00Z", Open, "2026-10-30", "2026-10-30T20:00:00Z"),
            // Thanksgiving, and the early close after it.
            (Us, "2026-11-26T15:00:00Z", Closed, "2026-11-25", "2026-11-27T09:00:00Z"),
            (Us, "2026-11-27T17:59:59Z", Open, "2026-11-27", "2026-11-27T18:00:00Z"),
            (Us, "2026-11-27T18:00:00Z", After, "2026-11-27", "2026-11-27T22:00:00Z"),
            // Independence Day on a Saturday is observed on Friday.
            (Us, "2026-07-03T15:00:00Z", Closed, "2026-07-02", "2026-07-06T08:00:00Z"),
            // Sunday to Thursday in Riyadh, the same all year.
            (Saudi, "2026-11-22T06:30:00Z", Before, "2026-11-19", "2026-11-22T07:00:00Z"),
            (Saudi, "2026-11-22T07:00:00Z", Open, "2026-11-22", "2026-11-22T12:00:00Z"),
            (Saudi, "2026-07-05T07:00:00Z", Open, "2026-07-05", "2026-07-05T12:00:00Z"),
            (Saudi, "2026-11-22T12:00:00Z", After, "2026-11-22", "2026-11-22T12:20:00Z"),
            (Saudi, "2026-11-22T12:20:00Z", Closed, "2026-11-22", "2026-11-23T06:30:00Z"),
            (Saudi, "2026-11-20T08:00:00Z", Closed, "2026-11-19", "2026-11-22T06:30:00Z"),
            // National Day.
            (Saudi, "2026-09-23T08:00:00Z", Closed, "2026-09-22", "2026-09-24T06:30:00Z"),
            // US, 2027: New Year, Martin Luther King, Washington, Good Friday, Memorial Day,
            // Juneteenth on Friday, Independence Day on Monday, Labor Day, Thanksgiving and the
            // early close after it, Christmas on Friday, and no early close before that.
            (Us, "2027-01-01T15:00:00Z", Closed, "2026-12-31", "2027-01-04T09:00:00Z"),
            (Us, "2027-01-18T15:00:00Z", Closed, "2027-01-15", "2027-01-19T09:00:00Z"),
            (Us, "2027-02-15T15:00:00Z", Closed, "2027-02-12", "2027-02-16T09:00:00Z"),
            (Us, "2027-03-26T15:00:00Z", Closed, "2027-03-25", "2027-03-29T08:00:00Z"),
            (Us, "2027-05-31T15:00:00Z", Closed, "2027-05-28", "2027-06-01T08:00:00Z"),
            (Us, "2027-06-18T15:00:00Z", Closed, "2027-06-17", "2027-06-21T08:00:00Z"),
            (Us, "2027-07-02T17:30:00Z", Open, "2027-07-02", "2027-07-02T20:00:00Z"),
            (Us, "2027-07-05T15:00:00Z", Closed, "2027-07-02", "2027-07-06T08:00:00Z"),
            (Us, "2027-09-06T15:00:00Z", Closed, "2027-09-03", "2027-09-07T08:00:00Z"),
            (Us, "2027-11-25T15:00:00Z", Closed, "2027-11-24", "2027-11-26T09:00:00Z"),
            (Us, "2027-11-26T18:00:00Z", After, "2027-11-26", "2027-11-26T22:00:00Z"),
            (Us, "2027-12-23T18:00:00Z", Open, "2027-12-23", "2027-12-23T21:00:00Z"),
            (Us, "2027-12-24T15:00:00Z", Closed, "2027-12-23", "2027-12-27T09:00:00Z"),
            // Daylight saving begins on 14 March and ends on 7 November.
            (Us, "2027-03-12T14:29:59Z", Before, "2027-03-11", "2027-03-12T14:30:00Z"),
            (Us, "2027-03-15T13:30:00Z", Open, "2027-03-15", "2027-03-15T20:00:00Z"),
            (Us, "2027-11-05T13:30:00Z", Open, "2027-11-05", "2027-11-05T20:00:00Z"),
            (Us, "2027-11-08T14:29:59Z", Before, "2027-11-05", "2027-11-08T14:30:00Z"),
            // US, 2028: New Year is a Saturday, which closes neither the Friday before nor the
            // Monday after; an early close on 3 July and after Thanksgiving.
            (Us, "2027-12-31T15:00:00Z", Open, "2027-12-31", "2027-12-31T21:00:00Z"),
            (Us, "2028-01-03T15:00:00Z", Open, "2028-01-03", "2028-01-03T21:00:00Z"),
            (Us, "2028-01-17T15:00:00Z", Closed, "2028-01-14", "2028-01-18T09:00:00Z"),
            (Us, "2028-02-21T15:00:00Z", Closed, "2028-02-18", "2028-02-22T09:00:00Z"),
            (Us, "2028-04-14T15:00:00Z", Closed, "2028-04-13", "2028-04-17T08:00:00Z"),
            (Us, "2028-05-29T15:00:00Z", Closed, "2028-05-26", "2028-05-30T08:00:00Z"),
            (Us, "2028-06-19T15:00:00Z", Closed, "2028-06-16", "2028-06-20T08:00:00Z"),
            (Us, "2028-07-03T16:59:59Z", Open, "2028-07-03", "2028-07-03T17:00:00Z"),
            (Us, "2028-07-03T17:00:00Z", After, "2028-07-03", "2028-07-03T21:00:00Z"),
            (Us, "2028-07-04T15:00:00Z", Closed, "2028-07-03", "2028-07-05T08:00:00Z"),
            (Us, "2028-09-04T15:00:00Z", Closed, "2028-09-01", "2028-09-05T08:00:00Z"),
            (Us, "2028-11-23T15:00:00Z", Closed, "2028-11-22", "2028-11-24T09:00:00Z"),
            (Us, "2028-11-24T18:00:00Z", After, "2028-11-24", "2028-11-24T22:00:00Z"),
            (Us, "2028-12-22T18:00:00Z", Open, "2028-12-22", "2028-12-22T21:00:00Z"),
            (Us, "2028-12-25T15:00:00Z", Closed, "2028-12-22", "2028-12-26T09:00:00Z"),
            // Founding Day and National Day.
            (Saudi, "2027-02-22T08:00:00Z", Closed, "2027-02-21", "2027-02-23T06:30:00Z"),
            (Saudi, "2027-09-23T08:00:00Z", Closed, "2027-09-22", "2027-09-26T06:30:00Z"),
            // The day after the calendars' last one begins at midnight in New York and Riyadh.
            (Us, "2028-12-30T01:00:00Z", Closed, "2028-12-29", "2029-01-01T05:00:00Z"),
            (Saudi, "2028-12-31T12:20:00Z", Closed, "2028-12-31", "2028-12-31T21:00:00Z"),
        ] {
            let time = calendar.at(market, seconds(utc)).unwrap();
            assert_eq!(time.session, session, "{market:?} {utc}");
            assert_eq!(time.day.date.to_string(), day, "{market:?} {utc}");
            assert_eq!(time.next_change_at, seconds(change), "{market:?} {utc}");
        }
    }

    #[test]
    fn dates_without_announced_hours_are_unknown() {
        let calendar = Calendar::built_in().unwrap();
        use Market::{Saudi, Us};
        use Session::{Closed, Open, Unknown};
        for (market, utc, session, change) in [
            // Eid al-Fitr of 2027 is expected on 9 March: from 3 to 17 March nothing is announced,
            // except that weekends are closed.
            (Saudi, "2027-03-02T12:20:00Z", Closed, Some("2027-03-02T21:00:00Z")),
            (Saudi, "2027-03-02T21:00:00Z", Unknown, Some("2027-03-04T21:00:00Z")),
            (Saudi, "2027-03-04T20:59:59Z", Unknown, Some("2027-03-04T21:00:00Z")),
            (Saudi, "2027-03-05T08:00:00Z", Closed, Some("2027-03-06T21:00:00Z")),
            (Saudi, "2027-03-10T08:00:00Z", Unknown, Some("2027-03-11T21:00:00Z")),
            (Saudi, "2027-03-17T20:59:59Z", Unknown, Some("2027-03-17T21:00:00Z")),
            (Saudi, "2027-03-18T08:00:00Z", Open, Some("2027-03-18T12:00:00Z")),
            // Eid al-Adha of 2027, and both feasts of 2028 around Founding Day.
            (Saudi, "2027-05-16T08:00:00Z", Unknown, Some("2027-05-20T21:00:00Z")),
            (Saudi, "2028-02-21T08:00:00Z", Unknown, Some("2028-02-21T21:00:00Z")),
            (Saudi, "2028-02-22T08:00:00Z", Closed, Some("2028-02-22T21:00:00Z")),
            (Saudi, "2028-05-07T08:00:00Z", Unknown, Some("2028-05-11T21:00:00Z")),
            // National Day of 2028 is a Saturday.
            (Saudi, "2028-09-21T08:00:00Z", Unknown, Some("2028-09-21T21:00:00Z")),
            (Saudi, "2028-09-24T08:00:00Z", Unknown, Some("2028-09-24T21:00:00Z")),
            (Us, "2027-03-10T15:00:00Z", Open, Some("2027-03-10T21:00:00Z")),
            // Beyond the calendars' last day.
            (Us, "2029-01-02T15:00:00Z", Unknown, None),
            (Saudi, "2029-01-02T08:00:00Z", Unknown, None),
            (Us, "2025-12-30T15:00:00Z", Unknown, Some("2026-01-01T05:00:00Z")),
        ] {
            let time = calendar.at(market, seconds(utc)).unwrap();
            let change = change.map_or(0, seconds);
            assert_eq!((time.session, time.next_change_at), (session, change), "{market:?} {utc}");
        }
        for (market, utc, days) in [
            (Us, "2028-12-29T15:00:00Z", 3),
            (Us, "2029-01-01T15:00:00Z", 0),
            (Us, "2027-06-01T15:00:00Z", 366),
            (Saudi, "2027-03-01T08:00:00Z", 2),
            (Saudi, "2027-03-10T08:00:00Z", 0),
        ] {
            assert_eq!(calendar.announced_days(market, seconds(utc)), days, "{market:?} {utc}");
        }
    }

    /// The table ends on a Thursday after a range without announced hours.
    #[test]
    fn last_day_can_be_the_next_announced_one() {
        let table = |expected: serde_json::Value| {
            serde_json::json!({
                "sources": [], "first_day": "2030-01-01", "last_day": "2030-02-28",
                "days": [], "expected": expected,
            })
        };
        let range = serde_json::json!([
            { "first": "2030-02-25", "last": "2030-02-27", "name": "Eid al-Fitr" },
        ]);
        let file = serde_json::json!({ "us": table(serde_json::json!([])), "saudi": table(range) });
        let calendar = Calendar::from_json(&file.to_string()).unwrap();
        let time = calendar.at(Market::Saudi, seconds("2030-02-25T08:00:00Z")).unwrap();
        let last_day = seconds("2030-02-27T21:00:00Z");
        assert_eq!((time.session, time.next_change_at), (Session::Unknown, last_day));
    }

    #[test]
    fn zone_names_are_those_of_iana() {
        assert_eq!(Calendar::zone_name(Market::Us), "America/New_York");
        assert_eq!(Calendar::zone_name(Market::Saudi), "Asia/Riyadh");
    }

    #[test]
    fn times_outside_the_calendars_are_errors() {
        let calendar = Calendar::built_in().unwrap();
        for market in Market::ALL {
            assert!(calendar.at(market, 0).is_err());
            assert!(calendar.at(market, u32::MAX).is_err());
        }
    }

    proptest! {
        #[test]
        fn every_moment_is_within_its_session(seconds in 1_000_000_000_u32..4_000_000_000) {
            let calendar = Calendar::built_in().unwrap();
            for market in Market::ALL {
                let time = calendar.at(market, seconds).unwrap();
                let MarketTime { day, before, next, .. } = time;
                prop_assert!(before.ends < day.begins && day.ends < next.begins);
                prop_assert!(day.opens <= seconds && seconds < next.opens);
                if time.next_change_at == 0 {
                    prop_assert_eq!(time.session, Session::Unknown);
                    prop_assert!(seconds > LAST_WEEK_OF_2028);
                    continue;
                }
                prop_assert!(seconds < time.next_change_at);
                let then = calendar.at(market, time.next_change_at).unwrap();
                prop_assert_ne!(then.session, time.session);
                let just_before = calendar.at(market, time.next_change_at - 1).unwrap();
                prop_assert_eq!(just_before.session, time.session);
            }
        }
    }
}
