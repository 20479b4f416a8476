use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::CursorError;

const VERSION: u8 = 2;
const BODY: usize = 17;
const CHECK: usize = 5;

/// A place in a list that is ordered by rank, then id: the last item already seen.
///
/// Callers hold it as opaque text of the form `[A-Za-z0-9_-]{1,128}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// That item's rank.
    pub rank: i64,
    /// Its id.
    pub id: u64,
}

impl Place {
    /// The opaque text of the place: 30 characters.
    pub fn encode(self) -> String {
        let mut bytes = [0; BODY + CHECK];
        bytes[0] = VERSION;
        bytes[1..9].copy_from_slice(&self.rank.to_be_bytes());
        bytes[9..BODY].copy_from_slice(&self.id.to_be_bytes());
        let check = check(&bytes[..BODY]);
        bytes[BODY..].copy_from_slice(&check);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads back what [`Place::encode`] gave.
    pub fn decode(text: &str) -> Result<Self, CursorError> {
        if text.len() > 128 {
            return Err(CursorError);
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| CursorError)?;
        let bytes: [u8; BODY + CHECK] = bytes.try_into().map_err(|_| CursorError)?;
        let (body, sum) = bytes.split_at(BODY);
        if body[0] != VERSION || check(body) != sum {
            return Err(CursorError);
        }
        let (mut rank, mut id) = ([0; 8], [0; 8]);
        rank.copy_from_slice(&body[1..9]);
        id.copy_from_slice(&body[9..]);
        let id = u64::from_be_bytes(id);
        // Stores hold ids as signed numbers.
        i64::try_from(id).map_err(|_| CursorError)?;
        Ok(Self { rank: i64::from_be_bytes(rank), id })
    }
}

/// Tells a mistyped cursor from a true one; nothing secret hangs on it.
fn check(body: &[u8]) -> [u8; CHECK] {
    let mut sum = [0; CHECK];
    sum.copy_from_slice(&Sha256::digest(body)[..CHECK]);
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(rank: i64, id in 0..u64::MAX >> 1) {
            let place = Place { rank, id };
            prop_assert_eq!(Place::decode(&place.encode()), Ok(place));
        }

        #[test]
        fn any_text_is_judged(text: String) {
            if let Ok(place) = Place::decode(&text) {
                prop_assert_eq!(place.encode(), text);
            }
        }
    }
}
