//! Pages of lists that are ordered by the sequence of events.

use sahm_chassis::{
    cursor,
    error::{Error, Result},
};

/// Items of a page where the caller names no size, and the most of them.
const PAGE_SIZE: u32 = 20;
const MAX_PAGE_SIZE: u32 = 100;

/// How many items a page has.
pub(super) fn size(asked: u32) -> Result<u64> {
    match asked {
        0 => Ok(u64::from(PAGE_SIZE)),
        1..=MAX_PAGE_SIZE => Ok(u64::from(asked)),
        _ => Err(Error::field("size", format!("must be 1 to {MAX_PAGE_SIZE}"))),
    }
}

/// [`cursor::cut`] for a size that the store takes.
pub(super) fn cut<T>(
    list: &str,
    items: &mut Vec<T>,
    size: u64,
    sequence: impl Fn(&T) -> u64,
) -> String {
    cursor::cut(list, items, usize::try_from(size).unwrap_or(usize::MAX), sequence)
}
