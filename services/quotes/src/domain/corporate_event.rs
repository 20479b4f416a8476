//! Dated events of issuers: results and dividends.

use std::sync::Arc;

use jiff::{ToSpan, civil::Date};
use sahm_chassis::error::{Error, Result};
use strum::IntoStaticStr;

use super::{Decimal, Security};

/// Days after the first date of a range that has no last date.
const DEFAULT_RANGE_DAYS: i32 = 30;

/// Maximum number of days between the first and the last date of a range.
const MAX_RANGE_DAYS: i32 = 92;

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum CorporateEventType {
    /// The issuer publishes its results.
    Results,
    /// The first day on which buyers do not get the dividend.
    ExDividend,
    /// The issuer pays the dividend.
    DividendPayment,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CorporateEvent {
    pub security: Arc<Security>,
    pub event_type: CorporateEventType,
    /// The exchange's date.
    pub date: Date,
    /// Dividend per share in the market's currency; `None` for results and if unknown.
    pub amount_per_share: Option<Decimal>,
    /// Whether it is simulated.
    pub simulated: bool,
}

impl CorporateEvent {
    /// Its unique id; ids are ordered by date, then by security code.
    pub fn id(&self) -> String {
        format!("{}:{}:{}", self.date, self.security.code, self.event_type.into_str())
    }
}

/// A range of dates, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateRange {
    pub from: Date,
    pub to: Date,
}

impl DateRange {
    /// Parses a range; empty dates get their defaults.
    ///
    /// # Errors
    /// `Parameter` for `from_date` or `to_date`: not an ISO 8601 date, the last before the first,
    /// or more than 92 days.
    pub fn parse(from: &str, to: &str, today: Date) -> Result<Self> {
        let from = match from {
            "" => today,
            text => iso_date("from_date", text)?,
        };
        let to = match to {
            "" => from.saturating_add(DEFAULT_RANGE_DAYS.days()),
            text => iso_date("to_date", text)?,
        };
        if to < from {
            return Err(Error::field("to_date", "must not be before from_date"));
        }
        if to > from.saturating_add(MAX_RANGE_DAYS.days()) {
            let reason = format!("must be at most {MAX_RANGE_DAYS} days after from_date");
            return Err(Error::field("to_date", reason));
        }
        Ok(Self { from, to })
    }

    pub fn contains(&self, date: Date) -> bool {
        (self.from..=self.to).contains(&date)
    }
}

/// Parses `YYYY-MM-DD`; other forms of ISO 8601 are rejected.
fn iso_date(field: &str, text: &str) -> Result<Date> {
    let date = text.parse::<Date>().ok().filter(|date| date.to_string() == text);
    date.ok_or_else(|| Error::field(field, "must be a date such as 2026-11-30"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use jiff::civil::date;

    use super::*;

    #[test]
    fn ranges_have_defaults_and_bounds() {
        struct Case {
            from: &'static str,
            to: &'static str,
            range: std::result::Result<&'static str, &'static str>,
        }
        for case in [
            Case { from: "", to: "", range: Ok("2026-11-26:2026-12-26") },
            Case { from: "2027-01-31", to: "", range: Ok("2027-01-31:2027-03-02") },
            Case { from: "", to: "2026-11-26", range: Ok("2026-11-26:2026-11-26") },
            Case { from: "2026-01-01", to: "2026-04-03", range: Ok("2026-01-01:2026-04-03") },
            Case { from: "9999-12-31", to: "", range: Ok("9999-12-31:9999-12-31") },
            Case { from: "2026-01-01", to: "2026-04-04", range: Err("to_date") },
            Case { from: "", to: "2026-11-25", range: Err("to_date") },
            Case { from: "2026-11-31", to: "", range: Err("from_date") },
            Case { from: "2026-11-3", to: "", range: Err("from_date") },
            Case { from: "20261130", to: "", range: Err("from_date") },
            Case { from: "2026-11-30T00:00:00", to: "", range: Err("from_date") },
            Case { from: "today", to: "", range: Err("from_date") },
            Case { from: "", to: "٢٠٢٦-١١-٣٠", range: Err("to_date") },
        ] {
            let range = DateRange::parse(case.from, case.to, date(2026, 11, 26));
            let range = range.map(|DateRange { from, to }| format!("{from}:{to}"));
            let range = range.map_err(|error| error.fields()[0].field.clone());
            let range = range.as_deref().map_err(String::as_str);
            assert_eq!(range, case.range, "{}..{}", case.from, case.to);
        }
    }
}
