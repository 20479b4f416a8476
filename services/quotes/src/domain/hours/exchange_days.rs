//! Holidays and early closes of the exchanges: dated tables, read from a file.
//!
//! The built-in file is `calendars/exchanges.json`; operators may replace it with a file of the
//! same format. Weekdays without a row have regular hours. [`Hours::Unannounced`] is a weekday in
//! an expected range or beyond the covered days: it counts as a trading day whose session is
//! unknown.

use std::{collections::BTreeMap, ops::RangeInclusive};

use jiff::civil::{Date, Weekday};
use serde::Deserialize;

use crate::domain::Market;

/// The built-in tables.
pub(super) const BUILT_IN: &str = include_str!("../../../calendars/exchanges.json");

/// Trading hours of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hours {
    Regular,
    /// US only.
    EarlyClose,
    Closed,
    /// The exchange has not announced them.
    Unannounced,
}

/// Reason why a calendar file is invalid.
#[derive(Debug, thiserror::Error)]
pub enum CalendarError {
    /// The file is not JSON of the expected form.
    #[error("not a file of market calendars: {0}")]
    Malformed(#[from] serde_json::Error),
    /// A row contradicts the table or another row.
    #[error("{market}: {row}: {reason}")]
    Row {
        /// `us` or `saudi`.
        market: &'static str,
        /// The date, or the name of the field.
        row: String,
        /// The violated rule.
        reason: &'static str,
    },
    /// The time zone rules cannot be parsed; they are constants.
    #[error("time zone: {0}")]
    Zone(#[from] jiff::Error),
}

/// One exchange's table.
#[derive(Debug)]
pub(super) struct ExchangeDays {
    weekend: [Weekday; 2],
    covered: RangeInclusive<Date>,
    days: BTreeMap<Date, Hours>,
    expected: Vec<RangeInclusive<Date>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    us: Table,
    saudi: Table,
}

/// `sources` and the names of rows are for the maintainers of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(rename = "sources")]
    _sources: Vec<String>,
    first_day: Date,
    last_day: Date,
    days: Vec<DayRow>,
    expected: Vec<ExpectedRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DayRow {
    date: Date,
    hours: AnnouncedHours,
    #[serde(rename = "name")]
    _name: String,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum AnnouncedHours {
    Closed,
    EarlyClose,
}

/// Days around an expected holiday that the exchange has not announced.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedRow {
    first: Date,
    last: Date,
    #[serde(rename = "name")]
    _name: String,
}

/// Parses the tables of both exchanges: the US one, then the Saudi one.
///
/// # Errors
/// The text is not JSON of the expected format, or a row contradicts the table: a repeated date, a
/// date outside the covered days or on a weekend, an early close in Riyadh, a range that ends
/// before it begins.
pub(super) fn parse(json: &str) -> Result<(ExchangeDays, ExchangeDays), CalendarError> {
    let file: File = serde_json::from_str(json)?;
    Ok((
        ExchangeDays::new(Market::Us, [Weekday::Saturday, Weekday::Sunday], file.us)?,
        ExchangeDays::new(Market::Saudi, [Weekday::Friday, Weekday::Saturday], file.saudi)?,
    ))
}

impl ExchangeDays {
    fn new(market: Market, weekend: [Weekday; 2], table: Table) -> Result<Self, CalendarError> {
        let error = |row: String, reason| {
            Err(CalendarError::Row { market: market.into_str(), row, reason })
        };
        let covered = table.first_day..=table.last_day;
        if covered.is_empty() {
            return error("last_day".into(), "it lies before first_day");
        }
        let mut days = BTreeMap::new();
        for DayRow { date, hours, .. } in table.days {
            if !covered.contains(&date) {
                return error(date.to_string(), "it lies outside first_day and last_day");
            }
            if weekend.contains(&date.weekday()) {
                return error(date.to_string(), "it is on a weekend, when the exchange is closed");
            }
            let hours = match hours {
                AnnouncedHours::Closed => Hours::Closed,
                AnnouncedHours::EarlyClose if market == Market::Us => Hours::EarlyClose,
                AnnouncedHours::EarlyClose => {
                    return error(date.to_string(), "only the US exchanges close early");
                }
            };
            if days.insert(date, hours).is_some() {
                return error(date.to_string(), "the date appears twice");
            }
        }
        let mut expected = Vec::new();
        for ExpectedRow { first, last, .. } in table.expected {
            if last < first {
                return error(first.to_string(), "the expected range ends before it begins");
            }
            expected.push(first..=last);
        }
        Ok(Self { weekend, covered, days, expected })
    }

    /// The last day that the table covers.
    pub(super) fn last_day(&self) -> Date {
        *self.covered.end()
    }

    pub(super) fn hours(&self, on: Date) -> Hours {
        let announced = self.days.get(&on).copied();
        if self.weekend.contains(&on.weekday()) || announced == Some(Hours::Closed) {
            return Hours::Closed;
        }
        let is_expected = self.expected.iter().any(|range| range.contains(&on));
        if is_expected || !self.covered.contains(&on) {
            return Hours::Unannounced;
        }
        announced.unwrap_or(Hours::Regular)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;

    fn file(us_days: Value, saudi_days: Value, saudi_expected: Value) -> String {
        let table = |days, expected| {
            json!({
                "sources": [], "first_day": "2030-01-01", "last_day": "2030-12-31",
                "days": days, "expected": expected,
            })
        };
        json!({ "us": table(us_days, json!([])), "saudi": table(saudi_days, saudi_expected) })
            .to_string()
    }

    #[test]
    fn announced_day_takes_precedence_over_an_expected_range() {
        let saudi = json!([{ "date": "2030-02-25", "hours": "closed", "name": "Eid al-Fitr" }]);
        let expected = json!([
            { "first": "2030-02-24", "last": "2030-02-26", "name": "Eid" },
            { "first": "2030-04-01", "last": "2030-04-01", "name": "One day" },
        ]);
        let us = json!([{ "date": "2030-07-03", "hours": "early_close", "name": "Eve" }]);
        let (us, saudi) = parse(&file(us, saudi, expected)).unwrap();
        struct Case<'a> {
            days: &'a ExchangeDays,
            on: Date,
            hours: Hours,
        }
        let cases = [
            Case { days: &saudi, on: date(2030, 2, 24), hours: Hours::Unannounced },
            Case { days: &saudi, on: date(2030, 2, 25), hours: Hours::Closed },
            Case { days: &saudi, on: date(2030, 2, 26), hours: Hours::Unannounced },
            Case { days: &saudi, on: date(2030, 2, 27), hours: Hours::Regular },
            Case { days: &saudi, on: date(2030, 3, 1), hours: Hours::Closed },
            Case { days: &saudi, on: date(2030, 3, 31), hours: Hours::Regular },
            Case { days: &saudi, on: date(2030, 4, 1), hours: Hours::Unannounced },
            Case { days: &saudi, on: date(2030, 4, 2), hours: Hours::Regular },
            Case { days: &us, on: date(2030, 7, 3), hours: Hours::EarlyClose },
            Case { days: &us, on: date(2030, 12, 31), hours: Hours::Regular },
            Case { days: &us, on: date(2031, 1, 1), hours: Hours::Unannounced },
        ];
        for Case { days, on, hours } in cases {
            assert_eq!(days.hours(on), hours, "{on}");
        }
    }

    #[test]
    fn invalid_row_is_reported_with_market_and_reason() {
        struct Case {
            us: Value,
            saudi: Value,
            expected: Value,
            error: &'static str,
        }
        let day = |date: &str, hours: &str| json!([{ "date": date, "hours": hours, "name": "" }]);
        let none = || json!([]);
        let twice = json!([
            { "date": "2030-01-02", "hours": "closed", "name": "" },
            { "date": "2030-01-02", "hours": "early_close", "name": "" },
        ]);
        let cases = [
            Case {
                us: day("2029-12-31", "closed"),
                saudi: none(),
                expected: none(),
                error: "us: 2029-12-31: it lies outside first_day and last_day",
            },
            Case {
                us: day("2030-01-05", "closed"),
                saudi: none(),
                expected: none(),
                error: "us: 2030-01-05: it is on a weekend, when the exchange is closed",
            },
            Case {
                us: twice,
                saudi: none(),
                expected: none(),
                error: "us: 2030-01-02: the date appears twice",
            },
            Case {
                us: none(),
                saudi: day("2030-01-06", "early_close"),
                expected: none(),
                error: "saudi: 2030-01-06: only the US exchanges close early",
            },
            Case {
                us: none(),
                saudi: none(),
                expected: json!([{ "first": "2030-02-02", "last": "2030-02-01", "name": "" }]),
                error: "saudi: 2030-02-02: the expected range ends before it begins",
            },
        ];
        for Case { us, saudi, expected, error } in cases {
            assert_eq!(parse(&file(us, saudi, expected)).unwrap_err().to_string(), error);
        }
        let no_date = file(day("2030-02-30", "closed"), none(), none());
        let error = parse(&no_date).unwrap_err().to_string();
        assert!(error.starts_with("not a file of market calendars: "), "{error}");
        let unknown_hours = file(day("2030-02-25", "late"), none(), none());
        let error = parse(&unknown_hours).unwrap_err().to_string();
        assert!(error.contains("late") && error.contains("early_close"), "{error}");
    }
}
