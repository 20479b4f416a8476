//! What callers ask with, judged.
use sahm_chassis::{Error, ErrorCode, Result, caller};

use crate::domain::{Name, PAGE_SIZE_MAX, Place, page_size};

/// The most items withdrawn at once.
const WITHDRAW_MAX: usize = 1_000;
/// The most items of one batch.
const BATCH_MAX: usize = 50;
/// Recommendations end after so many.
const RECOMMENDED_MAX: u32 = 50;
/// The most addresses of one page of them.
pub(super) const REFS_MAX: u32 = 10_000;

/// An id or slug that is needed. A text that is neither is that of no item.
pub(super) fn name(field: &str, text: &str, missing: ErrorCode) -> Result<Name> {
    if text.is_empty() {
        return Err(Error::field(field, "is needed"));
    }
    Name::parse(text).ok_or_else(|| Error::of(missing))
}

/// A decimal id that is needed.
pub(super) fn needed(field: &str, id: u64) -> Result<()> {
    if id == 0 { Err(Error::field(field, "is needed")) } else { Ok(()) }
}

/// An id or slug, where one is given.
pub(super) fn optional_name(text: &str, missing: ErrorCode) -> Result<Option<Name>> {
    if text.is_empty() { Ok(None) } else { name("", text, missing).map(Some) }
}

pub(super) fn size(asked: u32, default: u32) -> Result<u32> {
    page_size(asked, default, PAGE_SIZE_MAX)
        .ok_or_else(|| Error::field("size", format!("must be 1 to {PAGE_SIZE_MAX}")))
}

pub(super) fn refs_size(asked: u32) -> Result<u32> {
    page_size(asked, REFS_MAX, REFS_MAX)
        .ok_or_else(|| Error::field("size", format!("must be 1 to {REFS_MAX}")))
}

pub(super) fn place(text: &str) -> Result<Option<Place>> {
    if text.is_empty() {
        return Ok(None);
    }
    Place::decode(text).map(Some).map_err(|error| Error::field("cursor", error.to_string()))
}

/// A page of recommendations, which are counted from the first and end after 50.
pub(super) struct Part {
    start: u32,
    end: u32,
}

impl Part {
    /// The page of a size behind a cursor.
    pub(super) fn asked(size: u32, default: u32, cursor: &str) -> Result<Self> {
        let size = self::size(size, default)?;
        let wrong = || Error::field("cursor", "is not a cursor of this list");
        let start = match place(cursor)? {
            None => 0,
            Some(place) => u32::try_from(place.rank)
                .ok()
                .filter(|&rank| rank <= RECOMMENDED_MAX && place.id == 0)
                .ok_or_else(wrong)?,
        };
        Ok(Self { start, end: (start + size).min(RECOMMENDED_MAX) })
    }

    /// How many are to be found from the first on, to know whether more follow.
    pub(super) fn reach(&self) -> u32 {
        self.end + 1
    }

    /// What of all that were found stands on the page, and the next one's cursor.
    pub(super) fn cut<T>(&self, mut found: Vec<T>) -> (Vec<T>, String) {
        let more = found.len() > self.end as usize && self.end < RECOMMENDED_MAX;
        found.truncate(self.end as usize);
        let page = found.split_off((self.start as usize).min(found.len()));
        (page, next(more.then(|| Place { rank: self.end.into(), id: 0 })))
    }
}

pub(super) fn next(place: Option<Place>) -> String {
    place.map(Place::encode).unwrap_or_default()
}

pub(super) fn batch(ids: &[u64]) -> Result<()> {
    if (1..=BATCH_MAX).contains(&ids.len()) {
        Ok(())
    } else {
        Err(Error::field("ids", format!("must be 1 to {BATCH_MAX}")))
    }
}

pub(super) fn withdrawal(ids: &[u64]) -> Result<()> {
    if (1..=WITHDRAW_MAX).contains(&ids.len()) {
        Ok(())
    } else {
        Err(Error::field("ids", format!("must be 1 to {WITHDRAW_MAX}")))
    }
}

/// What the one who asks is counted as: the member, else the visitor.
pub(super) fn counted_as() -> Option<String> {
    let caller = caller::current();
    match (caller.member, caller.visitor) {
        (Some(member), _) => Some(format!("m:{member}")),
        (None, Some(visitor)) if visitor.len() <= 128 => Some(format!("v:{visitor}")),
        _ => None,
    }
}

/// [`counted_as`], where it is needed.
pub(super) fn voter() -> Result<String> {
    counted_as().ok_or_else(|| Error::field("visitor", "is needed: who asks is not known"))
}

/// Decimal ids joined by commas, each once, in the order in which they stand.
pub(super) fn id_list(field: &str, text: &str) -> Result<Vec<u64>> {
    let mut ids = Vec::new();
    for part in text.split(',').take(BATCH_MAX + 1) {
        let part = part.trim();
        let decimal = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let id = part.parse().ok().filter(|_| decimal);
        let id = id.ok_or_else(|| Error::field(field, "must be decimal ids joined by commas"))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if text.split(',').count() > BATCH_MAX {
        return Err(Error::field(field, format!("must be 1 to {BATCH_MAX} ids")));
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn id_lists() {
        let many = vec!["7"; 51].join(",");
        let fifty: Vec<String> = (1..=50).map(|id| id.to_string()).collect();
        let table = [
            ("1001", Some(vec![1001])),
            ("3,1,2", Some(vec![3, 1, 2])),
            (" 3 , 3,1", Some(vec![3, 1])),
            ("", None),
            ("1,", None),
            ("1,,2", None),
            ("+1", None),
            ("a", None),
            ("-1", None),
            ("99999999999999999999", None),
            (&many, None),
        ];
        for (text, parsed) in table {
            assert_eq!(id_list("content_ids", text).ok(), parsed, "{text:?}");
        }
        assert_eq!(id_list("content_ids", &fifty.join(",")).unwrap().len(), 50);
    }
}
