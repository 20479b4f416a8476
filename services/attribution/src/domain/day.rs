//! Days in Asia/Riyadh, which is UTC+3 all year.

use jiff::{Timestamp, civil::Date, tz};

/// The day of an instant (epoch milliseconds), as `YYYY-MM-DD`.
pub fn day_of(millis: u64) -> String {
    let instant = i64::try_from(millis).ok().and_then(|at| Timestamp::from_millisecond(at).ok());
    let riyadh = tz::offset(3);
    riyadh.to_datetime(instant.unwrap_or(Timestamp::MAX)).date().to_string()
}

/// Parses `YYYY-MM-DD`.
pub fn parse_day(text: &str) -> Option<Date> {
    let formed = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if formed { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_begins_at_21_utc() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (1_795_208_399, "2026-11-20"),
            (1_795_208_400, "2026-11-21"),
            (1_795_294_799, "2026-11-21"),
            (u64::MAX / 1000, "9999-12-31"),
        ] {
            assert_eq!(day_of(seconds * 1000), day, "{seconds}");
        }
    }

    #[test]
    fn only_one_date_format_is_accepted() {
        for (text, right) in [
            ("2026-11-21", true),
            ("2026-02-29", false),
            ("20261121", false),
            ("2026-11-21T00:00", false),
            ("", false),
            ("٢٠٢٦-١١-٢١", false),
        ] {
            assert_eq!(parse_day(text).is_some(), right, "{text}");
        }
    }
}
