//! When the exchanges trade: sessions, holidays, time zones, early closes.

mod holidays;

use std::time::Duration;

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, Weekday, date},
    tz::TimeZone,
};

use super::Market;
use holidays::{closes_early, is_holiday};

/// US Eastern Time with the daylight saving rules in force since 2007.
const NEW_YORK: &str = "EST5EDT,M3.2.0,M11.1.0";

/// Three hours before UTC, all year.
const RIYADH: &str = "<+03>-3";

/// How far another trading day may be away.
const SEARCH_DAYS: u32 = 30;

/// Where a market stands: the market-time type (specification §3 'mktTmType').
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session {
    /// Not known.
    Unknown,
    /// The regular session.
    Open,
    /// US pre-market, Saudi opening auction.
    Before,
    /// US after-hours, Saudi closing auction and trading at last.
    After,
    /// No trading.
    Closed,
}

impl Session {
    /// The number in messages.
    pub fn number(self) -> u32 {
        match self {
            Self::Unknown => 0,
            Self::Open => 1,
            Self::Before => 2,
            Self::After => 3,
            Self::Closed => 4,
        }
    }
}

/// A day on which a market trades; times are epoch seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TradingDay {
    /// The exchange's date.
    pub date: Date,
    /// Days since 1970-01-01.
    pub number: i32,
    /// When orders are first taken.
    pub begins: u32,
    /// When the regular session begins.
    pub opens: u32,
    /// When it ends.
    pub closes: u32,
    /// When all trading ends.
    pub ends: u32,
}

/// Where a market stands at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketTime {
    /// The session.
    pub session: Session,
    /// When it becomes another, epoch seconds.
    pub next_change_at: u32,
    /// The day that prices belong to: today from its opening, else the last one.
    pub day: TradingDay,
    /// The trading day before `day`.
    pub before: TradingDay,
    /// The trading day after `day`.
    pub next: TradingDay,
}

/// The calendars of both markets.
#[derive(Clone, Debug)]
pub struct Calendar {
    new_york: TimeZone,
    riyadh: TimeZone,
}

/// A time outside of the years that calendars know.
#[derive(Clone, Debug, thiserror::Error)]
#[error("no trading day around {0}")]
pub struct NoTradingDay(u32);

impl Calendar {
    /// Errors: never in practice; the zones' rules are constants.
    pub fn new() -> Result<Self, jiff::Error> {
        Ok(Self { new_york: TimeZone::posix(NEW_YORK)?, riyadh: TimeZone::posix(RIYADH)? })
    }

    /// IANA name of a market's time zone.
    pub fn zone_name(market: Market) -> &'static str {
        match market {
            Market::Us => "America/New_York",
            Market::Saudi => "Asia/Riyadh",
        }
    }

    /// Where a market stands at epoch seconds.
    pub fn at(&self, market: Market, seconds: u32) -> Result<MarketTime, NoTradingDay> {
        let unknown = || NoTradingDay(seconds);
        let timestamp = Timestamp::from_second(i64::from(seconds)).map_err(|_| unknown())?;
        let today = self.zone(market).to_datetime(timestamp).date();
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
        let (session, next_change_at) = [
            (day.closes, Session::Open),
            (day.ends, Session::After),
            (next.begins, Session::Closed),
            (next.opens, Session::Before),
        ]
        .into_iter()
        .find_map(|(until, session)| (seconds < until).then_some((session, until)))
        .ok_or_else(unknown)?;
        Ok(MarketTime { session, next_change_at, day, before, next })
    }

    /// A date's trading; `None` on weekends and holidays.
    pub fn day(&self, market: Market, on: Date) -> Option<TradingDay> {
        let weekend = match market {
            Market::Us => [Weekday::Saturday, Weekday::Sunday],
            Market::Saudi => [Weekday::Friday, Weekday::Saturday],
        };
        if weekend.contains(&on.weekday()) || is_holiday(market, on) {
            return None;
        }
        let [begins, opens, closes, ends] = match market {
            Market::Us if closes_early(on) => [(4, 0), (9, 30), (13, 0), (17, 0)],
            Market::Us => [(4, 0), (9, 30), (16, 0), (20, 0)],
            Market::Saudi => [(9, 30), (10, 0), (15, 0), (15, 20)],
        };
        let at = |(hour, minute): (i8, i8)| {
            let local = on.at(hour, minute, 0, 0);
            let timestamp = self.zone(market).to_timestamp(local).ok()?;
            u32::try_from(timestamp.as_second()).ok()
        };
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

    fn zone(&self, market: Market) -> &TimeZone {
        match market {
            Market::Us => &self.new_york,
            Market::Saudi => &self.riyadh,
        }
    }
}

impl TradingDay {
    /// How long the regular session lasts.
    pub fn length(&self) -> Duration {
        Duration::from_secs(u64::from(self.closes - self.opens))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn seconds(utc: &str) -> u32 {
        let timestamp: Timestamp = utc.parse().unwrap();
        u32::try_from(timestamp.as_second()).unwrap()
    }

    #[test]
    fn sessions_follow_local_time_with_daylight_saving_and_holidays() {
        let calendar = Calendar::new().unwrap();
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
            // Independence Day on a Saturday is kept on Friday.
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
        ] {
            let time = calendar.at(market, seconds(utc)).unwrap();
            assert_eq!(time.session, session, "{market:?} {utc}");
            assert_eq!(time.day.date.to_string(), day, "{market:?} {utc}");
            assert_eq!(time.next_change_at, seconds(change), "{market:?} {utc}");
        }
    }

    #[test]
    fn the_ends_of_time_are_errors() {
        let calendar = Calendar::new().unwrap();
        for market in Market::ALL {
            assert!(calendar.at(market, 0).is_err());
            assert!(calendar.at(market, u32::MAX).is_err());
        }
    }

    proptest! {
        #[test]
        fn every_moment_lies_in_its_session(seconds in 1_000_000_000_u32..4_000_000_000) {
            let calendar = Calendar::new().unwrap();
            for market in Market::ALL {
                let time = calendar.at(market, seconds).unwrap();
                let MarketTime { day, before, next, .. } = time;
                prop_assert!(before.ends < day.begins && day.ends < next.begins);
                prop_assert!(day.opens <= seconds && seconds < next.opens);
                prop_assert!(seconds < time.next_change_at);
                let then = calendar.at(market, time.next_change_at).unwrap();
                prop_assert_ne!(then.session, time.session);
            }
        }
    }
}
