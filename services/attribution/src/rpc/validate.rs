//! Bounds of lists.
use sahm_chassis::{Result, validate};

const PAGE_SIZE: u32 = 20;
const MAX_PAGE_SIZE: u32 = 100;

pub(super) fn page_size(requested: u32) -> Result<u32> {
    validate::page_size(requested, PAGE_SIZE, MAX_PAGE_SIZE)
}
