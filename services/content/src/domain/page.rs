use super::Cursor;

/// Default page size.
pub const PAGE_SIZE: u32 = 4;

/// Maximum page size.
pub const MAX_PAGE_SIZE: u32 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Where the next page starts; `None` on the last one.
    pub next: Option<Cursor>,
    /// Epoch seconds at which the list changes without a write: the earliest future publication.
    /// Cached copies of the page expire then (docs/page-cache.md).
    pub next_change_at: Option<u32>,
}
