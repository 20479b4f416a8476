//! Queries of the counts.

use sahm_chassis::error::{Error, Result};

use super::parse_day;

const MAX_DAYS: i32 = 366;
const MAX_ROWS: u32 = 10_000;
const DEFAULT_ROWS: u32 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dimension {
    /// The day in Asia/Riyadh.
    Day,
    EventName,
    /// Field `c` of the value, otherwise `pid`.
    Campaign,
    /// Field `scnl` of the value.
    Channel,
    /// For instance 10, the website.
    SellClient,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountQuery {
    /// First day, `YYYY-MM-DD`.
    pub from_day: String,
    pub to_day: String,
    pub by: Vec<Dimension>,
    /// Counts this event only; empty for all.
    pub event_name: String,
    /// Counts this campaign only; empty for all.
    pub campaign: String,
    /// Counts this channel only; empty for all.
    pub channel: String,
    /// Counts this sell client only; 0 for all.
    pub sell_client: u32,
    /// Maximum number of rows; 0 for 1,000.
    pub limit: u32,
}

impl CountQuery {
    /// Validates and normalises the query.
    ///
    /// # Errors
    /// `Parameter` with the invalid field.
    pub fn checked(mut self) -> Result<CountQuery> {
        let from =
            parse_day(&self.from_day).ok_or_else(|| Error::field("from_day", "YYYY-MM-DD"))?;
        let to = parse_day(&self.to_day).ok_or_else(|| Error::field("to_day", "YYYY-MM-DD"))?;
        let days = from.until(to).map(|span| span.get_days()).unwrap_or(i32::MAX);
        if !(0..=MAX_DAYS).contains(&days) {
            return Err(Error::field(
                "to_day",
                "not before from_day and at most 366 days after it",
            ));
        }
        if self.limit > MAX_ROWS {
            return Err(Error::field("limit", "at most 10000"));
        }
        if self.limit == 0 {
            self.limit = DEFAULT_ROWS;
        }
        self.by.sort_unstable();
        self.by.dedup();
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_dimensions_are_normalised() {
        let day = "2026-11-21".to_owned();
        let query = |limit, by: &[Dimension]| CountQuery {
            from_day: day.clone(),
            to_day: day.clone(),
            limit,
            by: by.to_vec(),
            ..CountQuery::default()
        };
        for (limit, expected) in
            [(0, Some(1_000)), (1, Some(1)), (10_000, Some(10_000)), (10_001, None)]
        {
            let checked = query(limit, &[]).checked();
            assert_eq!(checked.ok().map(|query| query.limit), expected, "{limit}");
        }
        let error = query(10_001, &[]).checked().err();
        assert_eq!(error.map(|error| error.fields()[0].field.clone()).as_deref(), Some("limit"));
        let by = [Dimension::Channel, Dimension::Day, Dimension::Channel];
        let checked = query(0, &by).checked().map(|query| query.by);
        assert_eq!(checked.ok(), Some(vec![Dimension::Day, Dimension::Channel]));
    }

    #[test]
    fn date_ranges_are_validated() {
        for (from, to, field) in [
            ("2026-11-21", "2026-11-21", None),
            ("2026-01-01", "2027-01-02", None),
            ("2026-01-01", "2027-01-03", Some("to_day")),
            ("2026-11-21", "2026-11-20", Some("to_day")),
            ("", "2026-11-20", Some("from_day")),
            ("2026-11-20", "tomorrow", Some("to_day")),
        ] {
            let query =
                CountQuery { from_day: from.into(), to_day: to.into(), ..Default::default() };
            let fault = query.checked().err().map(|error| error.fields()[0].field.clone());
            assert_eq!(fault.as_deref(), field, "{from} to {to}");
        }
    }
}
