use super::Cursor;

/// How many items a list holds when the caller does not say.
pub const PAGE_SIZE: u32 = 4;

/// The most items that a caller may ask for.
pub const MAX_PAGE_SIZE: u32 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Where the next page starts; `None` on the last one.
    pub next: Option<Cursor>,
    /// Epoch seconds at which the list will change by time alone: the earliest publication that
    /// lies ahead. A copy of the page may not live longer (docs/page-cache.md).
    pub next_change_at: Option<u32>,
}
