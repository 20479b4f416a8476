use super::Cursor;

/// How many items a list holds when the caller does not say.
pub const PAGE_SIZE: u32 = 4;

/// The most items that a caller may ask for.
pub const MAX_PAGE_SIZE: u32 = 50;

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// In the list's order.
    pub items: Vec<T>,
    /// Where the next page starts; `None` on the last one.
    pub next: Option<Cursor>,
    /// Epoch seconds at which the list will change by time alone: the earliest publication that
    /// lies ahead. A copy of the page may not live longer (docs/page-cache.md).
    pub next_change_at: Option<u32>,
}

/// The size of a page: `requested`, or `default` for 0; `None` above `max`.
pub fn page_size(requested: u32, default: u32, max: u32) -> Option<u32> {
    match requested {
        0 => Some(default),
        size if size <= max => Some(size),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (requested, size) in [(0, Some(4)), (1, Some(1)), (50, Some(50)), (51, None)] {
            assert_eq!(page_size(requested, PAGE_SIZE, MAX_PAGE_SIZE), size);
        }
    }
}
