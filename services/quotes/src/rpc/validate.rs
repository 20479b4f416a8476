//! Bounds of lists and batches.
use sahm_chassis::{Result, validate};

const PAGE_SIZE: u32 = 4;
const MAX_PAGE_SIZE: u32 = 50;
/// Maximum number of codes, ids or pairs of a call.
pub(super) const MAX_BATCH: usize = 50;

pub(super) fn page_size(requested: u32) -> Result<usize> {
    Ok(validate::page_size(requested, PAGE_SIZE, MAX_PAGE_SIZE)? as usize)
}

pub(super) fn batch<'a, T>(field: &str, items: &'a [T]) -> Result<&'a [T]> {
    validate::batch(field, items, MAX_BATCH)
}
