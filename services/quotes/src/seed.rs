//! The data of an empty database.

use anyhow::Context;

use crate::domain::{Announcement, Security, announcements_of, securities_of};

/// The built-in securities: real ones of both exchanges, and fictitious ones that are delisted,
/// paused or not yet listed.
pub fn securities() -> anyhow::Result<Vec<Security>> {
    securities_of(include_str!("../seed/securities.jsonl")).context("securities.jsonl")
}

/// The built-in announcements: samples about the exchanges' calendars.
pub fn announcements() -> anyhow::Result<Vec<Announcement>> {
    announcements_of(include_str!("../seed/announcements.jsonl")).context("announcements.jsonl")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::HashSet;

    use super::*;
    use crate::domain::{Market, Status};

    #[test]
    fn seed_is_complete() {
        let securities = securities().unwrap();
        let (made_up, real): (Vec<_>, Vec<_>) = securities.iter().partition(|security| {
            security.code.as_str().starts_with('X') && security.code.as_str().len() == 7
                || security.code.as_str().starts_with("000")
        });
        assert_eq!(made_up.len(), 6);
        assert!(real.iter().all(|one| one.status == Status::Normal && !one.pre_ipo));
        for market in Market::ALL {
            assert!(real.iter().filter(|one| one.market() == market).count() >= 100);
        }
        for (code, market) in [("AAPL", Market::Us), ("2222", Market::Saudi)] {
            assert!(real.iter().any(|one| one.code.as_str() == code && one.market() == market));
        }
        let is_arabic = |text: &str| text.chars().any(|c| ('\u{600}'..='\u{6ff}').contains(&c));
        assert!(securities.iter().all(|one| is_arabic(&one.name_sa) && !is_arabic(&one.name)));
        let names = securities.iter().map(|one| &one.name_sa).collect::<HashSet<_>>();
        assert_eq!(names.len(), securities.len());
    }

    #[test]
    fn announcements_are_samples_in_both_languages() {
        let announcements = announcements().unwrap();
        assert!(announcements.len() >= 5);
        for one in &announcements {
            assert!(one.sample && one.texts.len() == 2, "{}", one.id);
        }
    }
}
