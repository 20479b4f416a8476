use sahm_chassis::cursor::Position;

/// A place in a list that is ordered by rank, then id: the last item already seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// That item's rank.
    pub rank: i64,
    /// Its id.
    pub id: u64,
}

impl Position for Place {
    fn to_bytes(&self) -> Vec<u8> {
        (self.rank.cast_unsigned(), self.id).to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (rank, id) = <(u64, u64)>::from_bytes(bytes)?;
        // Stores hold ids as signed numbers.
        i64::try_from(id).ok().map(|_| Self { rank: rank.cast_signed(), id })
    }
}
