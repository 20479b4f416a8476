use sahm_chassis::cursor::Position;

use super::is_id;

/// A place in a list that is ordered newest first: the last item already seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Epoch seconds at which that item was published.
    pub published_at: u32,
    /// Its id, which orders items of the same second.
    pub id: u64,
}

impl Position for Cursor {
    fn to_bytes(&self) -> Vec<u8> {
        (u64::from(self.published_at), self.id).to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (published_at, id) = Position::from_bytes(bytes)?;
        is_id(id).then_some(Self { published_at: u32::try_from(published_at).ok()?, id })
    }
}
