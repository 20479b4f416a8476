//! What callers ask with, judged.
use sahm_chassis::{
    Error, ErrorCode, Result, caller,
    cursor::{self, Position},
};

use crate::domain::{Name, PAGE_SIZE_MAX, page_size};

/// The most items withdrawn at once.
const WITHDRAW_MAX: usize = 1_000;
/// The most items of one batch.
const BATCH_MAX: usize = 50;
/// The most items of a page of a short list.
const MAX_PAGE_SIZE: usize = 100;
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

/// A page of recommendations, which are counted from the first and end after 50.
pub(super) struct Part {
    list: String,
    start: u32,
    end: u32,
}

impl Part {
    /// The page of a size behind a cursor of a list.
    pub(super) fn asked(list: String, size: u32, default: u32, cursor: &str) -> Result<Self> {
        let size = self::size(size, default)?;
        let start = cursor::decode::<u64>(&list, cursor)?.map_or(Ok(0), u32::try_from);
        let start = start.map_err(Error::internal)?;
        Ok(Self { list, start, end: (start + size).min(RECOMMENDED_MAX) })
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
        (page, next(&self.list, more.then_some(u64::from(self.end))))
    }
}

/// The cursor of the next page of a list, where there is one.
pub(super) fn next<P: Position>(list: &str, place: Option<P>) -> String {
    place.map(|place| cursor::encode(list, &place)).unwrap_or_default()
}

pub(super) fn batch(ids: &[u64]) -> Result<()> {
    batch_of("ids", ids)
}

pub(super) fn batch_of<T>(field: &str, names: &[T]) -> Result<()> {
    if (1..=BATCH_MAX).contains(&names.len()) {
        Ok(())
    } else {
        Err(Error::field(field, format!("must be 1 to {BATCH_MAX}")))
    }
}

/// How many items a page of a short list has; 0: all of it.
pub(super) fn size_or_all(asked: u32) -> Result<usize> {
    match usize::try_from(asked) {
        Ok(size @ ..=MAX_PAGE_SIZE) => Ok(size),
        _ => Err(Error::field("size", format!("must be 1 to {MAX_PAGE_SIZE}"))),
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

/// Decimal ids joined by commas, each once, in the order in which they stand. As in all lists that
/// are joined by commas, empty items are skipped.
pub(super) fn id_list(field: &str, text: &str) -> Result<Vec<u64>> {
    let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty());
    if !(1..=BATCH_MAX).contains(&parts().take(BATCH_MAX + 1).count()) {
        return Err(Error::field(field, format!("must be 1 to {BATCH_MAX} ids")));
    }
    let mut ids = Vec::new();
    for part in parts() {
        let decimal = part.bytes().all(|byte| byte.is_ascii_digit());
        let id = part.parse().ok().filter(|_| decimal);
        let id = id.ok_or_else(|| Error::field(field, "must be decimal ids joined by commas"))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
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
            ("1,", Some(vec![1])),
            (",1001,", Some(vec![1001])),
            ("1,,2", Some(vec![1, 2])),
            (",", None),
            ("1,x", None),
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
