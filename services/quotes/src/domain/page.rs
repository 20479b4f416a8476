//! Pages of announcements.

use sahm_chassis::{
    cursor::Position,
    error::{Error, Result},
};

const PAGE_SIZE: u32 = 4;
const MAX_PAGE_SIZE: u32 = 50;

/// The page size: 1 to 50, or 4 by default.
pub fn size_of(requested: u32) -> Result<usize> {
    match requested {
        0 => Ok(PAGE_SIZE as usize),
        1..=MAX_PAGE_SIZE => Ok(requested as usize),
        _ => Err(Error::field("size", "must be 1 to 50")),
    }
}

/// The last announcement of a page, in a list ordered newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Epoch seconds at which it was published.
    pub published_at: u32,
    /// Its id, which orders announcements of the same second.
    pub id: u64,
}

impl Position for Cursor {
    fn to_bytes(&self) -> Vec<u8> {
        (u64::from(self.published_at), self.id).to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (published_at, id) = Position::from_bytes(bytes)?;
        Some(Self { published_at: u32::try_from(published_at).ok()?, id })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_size_is_validated() {
        for (requested, size) in [(0, Some(4)), (1, Some(1)), (50, Some(50)), (51, None)] {
            assert_eq!(size_of(requested).ok(), size);
        }
    }
}
