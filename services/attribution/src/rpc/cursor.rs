//! Sizes and cursors of lists (`api.md`): a cursor is the sequence where the page before ended.

use sahm_chassis::error::{Error, Result};

const SIZE: u32 = 4;
const MOST: u32 = 50;

/// How many items a page has.
pub(super) fn size(asked: u32) -> Result<u64> {
    match asked {
        0 => Ok(u64::from(SIZE)),
        1..=MOST => Ok(u64::from(asked)),
        _ => Err(Error::field("size", "1 to 50")),
    }
}

/// Where the page before ended; `None` for the first page.
pub(super) fn cursor(text: &str) -> Result<Option<u64>> {
    if text.is_empty() {
        return Ok(None);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let sequence = if digits { text.parse().ok() } else { None };
    sequence.map(Some).ok_or_else(|| Error::field("cursor", "the nextCursor of a page"))
}

/// Cuts what was read with one item more than the page has; gives the next page's cursor.
pub(super) fn page<T>(items: &mut Vec<T>, size: u64, sequence: impl Fn(&T) -> u64) -> String {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    if items.len() <= size {
        return String::new();
    }
    items.truncate(size);
    items.last().map(|item| sequence(item).to_string()).unwrap_or_default()
}
