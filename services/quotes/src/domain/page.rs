//! Pages of lists.

use sahm_chassis::error::{Error, Result};

const DEFAULT_SIZE: u32 = 4;
const MOST: u32 = 50;

/// How many items a page has: 1 to 50, 4 where nothing is asked.
pub fn size_of(asked: u32) -> Result<usize> {
    match asked {
        0 => Ok(DEFAULT_SIZE as usize),
        1..=MOST => Ok(asked as usize),
        _ => Err(Error::field("size", "must be 1 to 50")),
    }
}

/// The last announcement already seen, in a list ordered newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Epoch seconds at which it was published.
    pub published_at: u32,
    /// Its id, which orders those of the same second.
    pub id: u64,
}

impl Cursor {
    /// Opaque text: 24 hexadecimal digits.
    pub fn encode(self) -> String {
        format!("{:08x}{:016x}", self.published_at, self.id)
    }

    /// Reads what [`Cursor::encode`] gave; an empty text is the first page.
    pub fn decode(text: &str) -> Result<Option<Self>> {
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = || Error::field("cursor", "is not a cursor of this list");
        if text.len() != 24 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let (at, id) = text.split_at(8);
        let published_at = u32::from_str_radix(at, 16).map_err(|_| wrong())?;
        let id = u64::from_str_radix(id, 16).map_err(|_| wrong())?;
        Ok(Some(Self { published_at, id }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sizes_and_cursors() {
        for (asked, size) in [(0, Some(4)), (1, Some(1)), (50, Some(50)), (51, None)] {
            assert_eq!(size_of(asked).ok(), size);
        }
        let cursor = Cursor { published_at: 1_795_219_200, id: 9001 };
        assert_eq!(Cursor::decode(&cursor.encode()).unwrap(), Some(cursor));
        assert_eq!(Cursor::decode("").unwrap(), None);
        for wrong in ["x", &"+".repeat(24), &"0".repeat(25), &"é".repeat(12)] {
            assert!(Cursor::decode(wrong).is_err(), "{wrong}");
        }
    }
}
