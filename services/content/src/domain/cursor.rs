use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::is_id;

const VERSION: u8 = 1;
const BODY: usize = 13;
const CHECK: usize = 5;

/// A place in a list that is ordered newest first: the last item already seen.
///
/// Callers hold it as opaque text of the form `[A-Za-z0-9_-]{1,128}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Epoch seconds at which that item was published.
    pub published_at: u32,
    /// Its id, which orders items of the same second.
    pub id: u64,
}

/// Text that this service never gave as a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a cursor of this list")]
pub struct CursorError;

impl Cursor {
    /// The opaque text of the cursor: 24 characters.
    pub fn encode(self) -> String {
        let mut bytes = [0; BODY + CHECK];
        bytes[0] = VERSION;
        bytes[1..5].copy_from_slice(&self.published_at.to_be_bytes());
        bytes[5..BODY].copy_from_slice(&self.id.to_be_bytes());
        let check = check(&bytes[..BODY]);
        bytes[BODY..].copy_from_slice(&check);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads back what [`Cursor::encode`] gave.
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
        let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let cursor = Self {
            published_at: u32::try_from(number(&body[1..5])).map_err(|_| CursorError)?,
            id: number(&body[5..]),
        };
        is_id(cursor.id).then_some(cursor).ok_or(CursorError)
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
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::domain::MAX_ID;

    #[test]
    fn other_text_is_refused() {
        let good = Cursor { published_at: 1_790_000_000, id: 1001 }.encode();
        let mut table = vec![
            String::new(),
            "x".into(),
            "1001".into(),
            "A".repeat(24),
            "A".repeat(500),
            format!("{good}="),
            format!("{good}A"),
            good[1..].to_owned(),
            good.replace(|c: char| c.is_ascii_uppercase(), "~"),
            "../../etc/passwd".into(),
            Cursor { published_at: 1, id: 0 }.encode(),
            Cursor { published_at: 1, id: u64::MAX }.encode(),
        ];
        // Each single character changed.
        for at in 0..good.len() {
            let mut text = good.clone().into_bytes();
            text[at] = if text[at] == b'Q' { b'R' } else { b'Q' };
            table.push(String::from_utf8(text).unwrap());
        }
        for text in table {
            assert_eq!(Cursor::decode(&text), Err(CursorError), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn round_trip(published_at: u32, id in 1..=MAX_ID) {
            let cursor = Cursor { published_at, id };
            let text = cursor.encode();
            prop_assert!((1..=128).contains(&text.len()));
            prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            prop_assert_eq!(Cursor::decode(&text), Ok(cursor));
        }

        #[test]
        fn any_text_is_judged(text: String) {
            if let Ok(cursor) = Cursor::decode(&text) {
                prop_assert_eq!(cursor.encode(), text);
            }
        }
    }
}
