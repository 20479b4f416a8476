//! Request validation; each error names the invalid field.
use sahm_chassis::{Error, ErrorCode, Result, caller, validate};

use crate::domain::{IdOrSlug, MAX_PAGE_SIZE, Market, member_reader, visitor_reader};

const MAX_BATCH: usize = 50;
/// Maximum page size of a short list.
const MAX_SHORT_PAGE_SIZE: u32 = 100;
/// Maximum length of a visitor id in bytes.
const MAX_VISITOR_LENGTH: usize = 128;

/// Rejects zero and the empty string.
pub(super) fn required<T: Default + PartialEq>(field: &str, value: &T) -> Result<()> {
    if *value == T::default() { Err(Error::field(field, "is required")) } else { Ok(()) }
}

/// A required id or slug. Malformed ones yield `missing`, as for unknown items.
pub(super) fn id_or_slug(field: &str, text: &str, missing: ErrorCode) -> Result<IdOrSlug> {
    if text.is_empty() {
        return Err(Error::field(field, "is required"));
    }
    IdOrSlug::parse(text).ok_or_else(|| Error::of(missing))
}

/// An optional id or slug.
pub(super) fn optional_id_or_slug(text: &str, missing: ErrorCode) -> Result<Option<IdOrSlug>> {
    if text.is_empty() { Ok(None) } else { id_or_slug("", text, missing).map(Some) }
}

pub(super) fn market(name: &str) -> Result<Market> {
    Market::from_name(name).ok_or_else(|| Error::field("market", "must be us, saudi, all or empty"))
}

/// The page size; 0 for the default.
pub(super) fn page_size(size: u32, default: u32) -> Result<u32> {
    validate::page_size(size, default, MAX_PAGE_SIZE)
}

/// The page size of a short list; 0 for the whole list.
pub(super) fn size_or_all(size: u32) -> Result<usize> {
    validate::page_size_or_all(size, MAX_SHORT_PAGE_SIZE)
}

pub(super) fn batch<T>(field: &str, names: &[T]) -> Result<()> {
    validate::batch(field, names, MAX_BATCH).map(drop)
}

/// Validates that a list has between one and `max` items.
pub(super) fn count(field: &str, items: usize, max: usize, noun: &str) -> Result<()> {
    if (1..=max).contains(&items) {
        return Ok(());
    }
    Err(Error::field(field, format!("must be 1 to {max} {noun}").trim_end()))
}

/// Parses comma-separated decimal ids; removes duplicates and keeps the order.
pub(super) fn id_list(field: &str, text: &str) -> Result<Vec<u64>> {
    count(field, comma_list(text).take(MAX_BATCH + 1).count(), MAX_BATCH, "ids")?;
    let mut ids = Vec::new();
    for part in comma_list(text) {
        let is_decimal = part.bytes().all(|byte| byte.is_ascii_digit());
        let id = part.parse().ok().filter(|_| is_decimal);
        let id = id.ok_or_else(|| Error::field(field, "must be decimal ids joined by commas"))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// The items of a comma-separated list; empty ones are skipped.
pub(super) fn comma_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// The reader who counts for reads and likes: the member, otherwise the visitor.
pub(super) fn reader() -> Option<String> {
    let caller = caller::current();
    match (caller.member, caller.visitor) {
        (Some(member), _) => Some(member_reader(member)),
        (None, Some(visitor)) if visitor.len() <= MAX_VISITOR_LENGTH => {
            Some(visitor_reader(&visitor))
        }
        _ => None,
    }
}

/// Same as [`reader`], but required.
pub(super) fn required_reader() -> Result<String> {
    reader().ok_or_else(|| Error::field("visitor", "is required: the visitor is not known"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn id_list_is_parsed() {
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
