//! Pages of announcements.

use sahm_chassis::cursor::Position;

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
