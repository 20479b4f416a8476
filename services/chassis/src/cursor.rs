//! Cursors of paged lists: opaque text that identifies the list and the last item of a page.
//!
//! The name of a list contains all its filters, so that the cursor of one list is rejected by
//! another. The checksum detects mistyped and foreign cursors; it is not for security.

use std::hash::Hasher;

use fnv::FnvHasher;

use crate::error::{Error, Result};

/// Maximum length of a cursor in characters.
const MAX_CURSOR_LENGTH: usize = 128;
const CHECK_SUM_BYTES: usize = 8;

/// Identifies the last item of a page in the order of its list.
pub trait Position: Sized {
    /// At most 56 bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Parses the output of [`Position::to_bytes`]; `None` for anything else.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

impl Position for u64 {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_be_bytes().into()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_be_bytes)
    }
}

impl Position for (u64, u64) {
    fn to_bytes(&self) -> Vec<u8> {
        [self.0.to_be_bytes(), self.1.to_be_bytes()].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (first, second) = bytes.split_at_checked(8)?;
        Some((u64::from_bytes(first)?, u64::from_bytes(second)?))
    }
}

impl Position for String {
    fn to_bytes(&self) -> Vec<u8> {
        self.as_bytes().into()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        String::from_utf8(bytes.into()).ok()
    }
}

/// The cursor of a position in a list.
pub fn encode(list: &str, position: &impl Position) -> String {
    let position = position.to_bytes();
    let bytes = check_sum(list, &position).into_iter().chain(position);
    hex::encode(bytes.collect::<Vec<_>>())
}

/// The position of a cursor; empty for the first page.
///
/// # Errors
/// `Parameter` for the field `cursor` if the text is not a cursor of this list.
pub fn decode<P: Position>(list: &str, cursor: &str) -> Result<Option<P>> {
    if cursor.is_empty() {
        return Ok(None);
    }
    let refused = || Error::field("cursor", "is not a cursor of this list");
    let is_formed = cursor.len() <= MAX_CURSOR_LENGTH && !cursor.contains(char::is_uppercase);
    let bytes = hex::decode(cursor).ok().filter(|_| is_formed).ok_or_else(refused)?;
    let (sum, position) = bytes.split_at_checked(CHECK_SUM_BYTES).ok_or_else(refused)?;
    if sum != check_sum(list, position) {
        return Err(refused());
    }
    P::from_bytes(position).map(Some).ok_or_else(refused)
}

/// Truncates a list that was read with one item more than the page size. Returns the cursor of the
/// next page, which is empty on the last page.
pub fn cut<T, P: Position>(
    list: &str,
    items: &mut Vec<T>,
    size: usize,
    position: impl Fn(&T) -> P,
) -> String {
    let has_more = items.len() > size;
    items.truncate(size);
    let last = items.last().filter(|_| has_more);
    last.map(|last| encode(list, &position(last))).unwrap_or_default()
}

/// A page of a list in memory, in the order of its positions; size 0 returns the whole list.
///
/// # Errors
/// Same as [`decode`].
pub fn page<T, P: Position + Ord>(
    list: &str,
    mut items: Vec<T>,
    size: usize,
    cursor: &str,
    position: impl Fn(&T) -> P,
) -> Result<(Vec<T>, String)> {
    if let Some(after) = decode::<P>(list, cursor)? {
        items.retain(|item| position(item) > after);
    }
    let size = if size == 0 { items.len() } else { size };
    let next_cursor = cut(list, &mut items, size, position);
    Ok((items, next_cursor))
}

/// FNV-1a of the list's name, a separator and the position.
fn check_sum(list: &str, position: &[u8]) -> [u8; CHECK_SUM_BYTES] {
    let mut hasher = FnvHasher::default();
    for part in [list.as_bytes(), &[0xff], position] {
        hasher.write(part);
    }
    hasher.finish().to_be_bytes()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn cursor_is_valid_for_its_list_only() {
        let cursor = encode("courses:2", &(7_u64, 9_u64));
        assert!(cursor.len() <= 128 && cursor.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_eq!(decode("courses:2", &cursor).unwrap(), Some((7_u64, 9_u64)));
        assert_eq!(decode::<u64>("courses:2", "").unwrap(), None);
        for list in ["courses:1", "courses:", "courses:2 ", "tabs"] {
            let error = decode::<(u64, u64)>(list, &cursor).unwrap_err();
            let field = &error.fields()[0];
            assert_eq!(field.field, "cursor");
            assert!(format!("{field:?}").contains("is not a cursor of this list"), "{field:?}");
        }
    }

    #[test]
    fn longest_position_fits_into_a_cursor() {
        let position = "x".repeat(56);
        let cursor = encode("list", &position);
        assert_eq!(cursor.len(), 128);
        assert_eq!(decode("list", &cursor).unwrap(), Some(position));
        let too_long = encode("list", &"x".repeat(57));
        assert_eq!(decode::<String>("list", &too_long).unwrap_err().fields()[0].field, "cursor");
    }

    #[test]
    fn changed_or_foreign_text_is_rejected() {
        let good = encode("list", &String::from("BRK.B"));
        assert_eq!(decode("list", &good).unwrap(), Some("BRK.B".to_owned()));
        let mut table: Vec<String> =
            ["x", "5", "ABBV", "éé", "../../etc/passwd", "-1"].map(String::from).into();
        table.extend([good.to_uppercase(), format!("{good}00"), good[2..].into(), "0".repeat(500)]);
        for at in 0..good.len() {
            let mut text = good.clone().into_bytes();
            text[at] = if text[at] == b'0' { b'1' } else { b'0' };
            table.push(String::from_utf8(text).unwrap());
        }
        for text in table {
            assert!(decode::<String>("list", &text).is_err(), "{text:?}");
        }
        // A position of another type.
        assert!(decode::<u64>("list", &good).is_err());
    }

    #[test]
    fn last_page_has_no_cursor() {
        let mut items = vec![1_u64, 2, 3];
        let next = cut("list", &mut items, 2, |item| *item);
        assert_eq!(
            (items.as_slice(), decode("list", &next).unwrap()),
            ([1, 2].as_slice(), Some(2_u64))
        );
        assert_eq!(cut("list", &mut items, 2, |item| *item), "");
        let (first, next) = page("list", vec![1_u64, 2, 3], 2, "", |item| *item).unwrap();
        let (second, end) = page("list", vec![1_u64, 2, 3], 2, &next, |item| *item).unwrap();
        assert_eq!((first, second, end.as_str()), (vec![1, 2], vec![3], ""));
        assert_eq!(page("list", vec![1_u64, 2, 3], 0, "", |item| *item).unwrap().0, [1, 2, 3]);
    }
}
