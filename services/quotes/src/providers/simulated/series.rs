//! Day series of the simulated market, at equal intervals.

use super::price::PricePath;
use crate::domain::{DaySeries, MarketTime};

/// Intervals of a whole day; a series has one price more.
const INTERVALS: u32 = 30;

/// The day so far: prices from the opening on, then the last one.
pub(super) fn series(code: &str, path: &PricePath, time: &MarketTime, seconds: u32) -> DaySeries {
    let day = time.day;
    let interval = (day.closes - day.opens).div_ceil(INTERVALS);
    let (last, last_at) = path.last(&day, seconds);
    let times = (day.opens..last_at).step_by(interval as usize);
    let mut prices = times.map(|at| path.last(&day, at).0).collect::<Vec<_>>();
    prices.push(last);
    DaySeries {
        code: code.to_owned(),
        day,
        interval,
        prices,
        last_at,
        previous_close: path.close(&time.before).0,
        simulated: true,
    }
}
