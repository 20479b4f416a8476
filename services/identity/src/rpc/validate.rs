//! Validation of requests: each error names its field.

use sahm_chassis::{Error, Result};

/// The most of one batch.
const BATCH: usize = 100;
/// Items of a page where the caller names no size, and the most of them.
const PAGE_SIZE: u32 = 20;
const MAX_PAGE_SIZE: u32 = 100;

/// How many items a page has.
///
/// # Errors
/// `Parameter` for more than 100.
pub(super) fn size(request: u32) -> Result<u32> {
    match request {
        0 => Ok(PAGE_SIZE),
        1..=MAX_PAGE_SIZE => Ok(request),
        _ => Err(Error::field("size", format!("must be 1 to {MAX_PAGE_SIZE}"))),
    }
}

/// What a batch names.
///
/// Errors: nothing, or too many.
pub(super) fn batch<'a, T>(field: &'static str, named: &'a [T]) -> Result<&'a [T]> {
    if (1..=BATCH).contains(&named.len()) {
        return Ok(named);
    }
    Err(Error::field(field, format!("must be 1 to {BATCH}")))
}
