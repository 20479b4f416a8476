//! Pages of lists and the positions between them.
use sahm_chassis::cursor::Position;

/// The position at which a list continues: after the item with this rank and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    /// Rank of the item in the list: a position, or epoch seconds of its publication.
    pub rank: i64,
    /// Id of the item; breaks ties between equal ranks.
    pub id: u64,
}

impl Position for Cursor {
    fn to_bytes(&self) -> Vec<u8> {
        (self.rank.cast_unsigned(), self.id).to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (rank, id) = <(u64, u64)>::from_bytes(bytes)?;
        // The store's id columns are signed.
        i64::try_from(id).ok().map(|_| Self { rank: rank.cast_signed(), id })
    }
}

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
