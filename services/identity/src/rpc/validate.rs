//! Bounds of lists and batches.
use sahm_chassis::{Result, validate};

const MAX_BATCH: usize = 100;
const PAGE_SIZE: u32 = 20;
const MAX_PAGE_SIZE: u32 = 100;

pub(super) fn page_size(requested: u32) -> Result<u32> {
    validate::page_size(requested, PAGE_SIZE, MAX_PAGE_SIZE)
}

pub(super) fn batch<'a, T>(field: &str, items: &'a [T]) -> Result<&'a [T]> {
    validate::batch(field, items, MAX_BATCH)
}
