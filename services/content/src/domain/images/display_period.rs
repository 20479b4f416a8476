use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisplayPeriod {
    /// Epoch seconds; the period begins after this moment.
    pub begin: u32,
    /// Epoch seconds; the period ends before this moment.
    pub end: u32,
}

impl DisplayPeriod {
    /// Whether `now` lies strictly between begin and end.
    pub fn is_active(self, now: u32) -> bool {
        self.begin < now && now < self.end
    }

    /// The next moment at which [`DisplayPeriod::is_active`] changes; `None` if it never does.
    pub fn next_change(self, now: u32) -> Option<u32> {
        let first = self.begin.checked_add(1)?;
        if first >= self.end {
            return None;
        }
        [first, self.end].into_iter().find(|&moment| moment > now)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn period_excludes_its_begin_and_end() {
        let span = DisplayPeriod { begin: 100, end: 200 };
        let table = [
            (99, false, Some(101)),
            (100, false, Some(101)),
            (101, true, Some(200)),
            (199, true, Some(200)),
            (200, false, None),
            (u32::MAX, false, None),
        ];
        for (now, active, next) in table {
            assert_eq!((span.is_active(now), span.next_change(now)), (active, next), "{now}");
        }
        let never = DisplayPeriod { begin: 100, end: 101 };
        assert_eq!((never.is_active(100), never.next_change(0)), (false, None));
    }

    proptest! {
        #[test]
        fn activity_changes_exactly_at_next_change(begin in 0..50_u32, length in 0..50_u32, now in 0..120_u32) {
            let span = DisplayPeriod { begin, end: begin + length };
            let differs = (now..130).find(|&later| span.is_active(later) != span.is_active(now));
            prop_assert_eq!(span.next_change(now), differs);
        }
    }
}
