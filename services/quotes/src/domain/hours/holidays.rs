//! Days of 2026 on which the exchanges do not trade as on others. In years that are not listed
//! only weekends are kept.

use jiff::civil::{Date, date};

use crate::domain::Market;

/// NYSE and Nasdaq.
const US: [Date; 10] = [
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
];

/// NYSE and Nasdaq close at 13:00.
const US_EARLY: [Date; 2] = [date(2026, 11, 27), date(2026, 12, 24)];

/// The Saudi Exchange: Founding Day, both feasts by the Umm al-Qura calendar, National Day. The
/// exchange announces the exact days of the feasts anew each year.
const SAUDI: [Date; 10] = [
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
];

pub(super) fn is_holiday(market: Market, on: Date) -> bool {
    match market {
        Market::Us => US.contains(&on),
        Market::Saudi => SAUDI.contains(&on),
    }
}

pub(super) fn closes_early(on: Date) -> bool {
    US_EARLY.contains(&on)
}
