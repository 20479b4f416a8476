//! A simulated market: prices are a pure function of seed, security and time, so that all replicas
//! and runs agree on them. Every quote is marked as simulated.

mod corporate_events;
mod noise;
mod price;
mod series;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use sahm_chassis::{
    clock::Clock,
    error::{Error, Result},
};

use self::price::{PricePath, Range};
use super::QuoteProvider;
use crate::domain::{
    Calendar, CorporateEvent, DateRange, DaySeries, Extended, INDICES, IndexQuote, Market,
    MarketTime, Quote, Security, SecurityCode, SeriesSubject, Session, Status,
};

/// The seed of a default install.
pub const SEED: u64 = 2222;

/// When delisted securities were last traded: the close of 2025, epoch seconds.
const DELISTED_AT: u32 = 1_767_182_400;

/// The simulated market.
pub struct Simulated {
    seed: u64,
    clock: Clock,
    calendar: Calendar,
    /// The range of each security's day so far, also a pure function of seed, security and time;
    /// cached because its computation takes longer as the day goes on.
    ranges: Mutex<HashMap<SecurityCode, Range>>,
}

impl Simulated {
    /// Creates the market of a seed.
    pub fn new(seed: u64, clock: Clock, calendar: Calendar) -> Self {
        Self { seed, clock, calendar, ranges: Mutex::default() }
    }

    /// The quote of a security at `seconds` (epoch), given the state of its market.
    fn quote(&self, security: &Arc<Security>, time: &MarketTime, seconds: u32) -> Quote {
        let quote = Quote {
            simulated: true,
            real_time: true,
            ..Quote::empty(security.clone(), time.session)
        };
        if security.pre_ipo {
            return quote;
        }
        if security.status == Status::Delisted {
            let level = Some(security.level);
            let session = Session::Closed;
            let last = Quote { last: level, previous_close: level, session, ..quote };
            return Quote { time: DELISTED_AT, ..last };
        }
        let path = PricePath::new(self.seed, security);
        if security.status == Status::Paused {
            let (close, at) = path.close(&time.before);
            let close = Some(close);
            return Quote { last: close, previous_close: close, time: at, ..quote };
        }
        let range = self.range(security, &path, time, seconds);
        let (last, at) = path.last(&time.day, seconds);
        Quote {
            last: Some(last),
            previous_close: Some(range.previous_close),
            open: Some(range.open),
            high: Some(range.high),
            low: Some(range.low),
            volume: Some(path.volume(&time.day, seconds)),
            time: at,
            extended: extended(&path, security, time, seconds),
            ..quote
        }
    }

    fn range(
        &self,
        security: &Security,
        path: &PricePath,
        time: &MarketTime,
        seconds: u32,
    ) -> Range {
        let mut ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        let known = ranges.get(&security.code).copied();
        let range = path.range(known, &time.day, &time.before, seconds);
        ranges.insert(security.code.clone(), range);
        range
    }
}

/// US securities trade before and after the regular session too.
fn extended(
    path: &PricePath,
    security: &Security,
    time: &MarketTime,
    seconds: u32,
) -> Option<Extended> {
    if security.market() != Market::Us {
        return None;
    }
    let (last, at) = match time.session {
        Session::Before => path.before(&time.next, seconds),
        Session::After => path.after(&time.day, seconds),
        Session::Open | Session::Closed | Session::Unknown => return None,
    };
    Some(Extended { last, session: time.session, time: at })
}

#[tonic::async_trait]
impl QuoteProvider for Simulated {
    async fn quotes(&self, securities: Vec<Arc<Security>>) -> Result<Vec<Quote>> {
        let seconds = self.clock.now();
        let at = |market| self.calendar.at(market, seconds).map_err(Error::internal);
        let (us, saudi) = (at(Market::Us)?, at(Market::Saudi)?);
        let time = |market| if market == Market::Us { &us } else { &saudi };
        let quotes = securities.iter();
        Ok(quotes.map(|one| self.quote(one, time(one.market()), seconds)).collect())
    }

    async fn indices(&self) -> Result<Vec<IndexQuote>> {
        let seconds = self.clock.now();
        let values = INDICES.iter().map(|index| {
            let time = self.calendar.at(index.market, seconds).map_err(Error::internal)?;
            let path = PricePath::of_index(self.seed, index);
            let (value, at) = path.last(&time.day, seconds);
            Ok(IndexQuote {
                index,
                value,
                previous_close: path.close(&time.before).0,
                time: at,
                session: time.session,
                simulated: true,
            })
        });
        values.collect()
    }

    async fn day_series(&self, subjects: Vec<SeriesSubject>) -> Result<Vec<DaySeries>> {
        let seconds = self.clock.now();
        let series = subjects.iter().filter_map(|subject| {
            let (market, path) = match subject {
                SeriesSubject::Index(index) => {
                    (index.market, PricePath::of_index(self.seed, index))
                }
                SeriesSubject::Security(security) => {
                    let is_traded = security.status == Status::Normal && !security.pre_ipo;
                    is_traded.then(|| (security.market(), PricePath::new(self.seed, security)))?
                }
            };
            let time = self.calendar.at(market, seconds).map_err(Error::internal);
            Some(time.map(|time| series::series(subject.code(), &path, &time, seconds)))
        });
        series.collect()
    }

    async fn corporate_events(
        &self,
        securities: Vec<Arc<Security>>,
        range: DateRange,
    ) -> Result<Vec<CorporateEvent>> {
        let events = securities.iter().flat_map(|security| {
            corporate_events::corporate_events(self.seed, security, range, &self.calendar)
        });
        Ok(events.collect())
    }
}

/// The smallest step of a price, both in hundredths: a cent in the US; by price band on the Saudi
/// Exchange.
fn tick(market: Market, price: i64) -> i64 {
    match (market, price) {
        (Market::Us, _) => 1,
        (Market::Saudi, ..1_000) => 1,
        (Market::Saudi, ..2_500) => 2,
        (Market::Saudi, ..5_000) => 5,
        (Market::Saudi, ..10_000) => 10,
        (Market::Saudi, ..25_000) => 20,
        (Market::Saudi, ..50_000) => 50,
        (Market::Saudi, _) => 100,
    }
}

#[cfg(test)]
mod tests;
