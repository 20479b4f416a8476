//! Validation that several services share: each error names its field.
use crate::error::{Error, Result};

/// Largest id that a store can contain.
pub const MAX_ID: u64 = i64::MAX.unsigned_abs();

/// Default and maximum page size of most lists (proto/README.md).
const PAGE_SIZE: u32 = 20;
const MAX_PAGE_SIZE: u32 = 100;

/// Whether a member can have this id.
pub fn is_member_id(id: u64) -> bool {
    (1..=MAX_ID).contains(&id)
}

/// A member's id.
///
/// # Errors
/// No member can have it.
pub fn member_id(field: &str, id: u64) -> Result<u64> {
    is_member_id(id).then_some(id).ok_or_else(|| Error::field(field, "must be a member's id"))
}

/// The page size of a list: `requested`, or 20 for 0.
///
/// # Errors
/// `requested` is above 100.
pub fn list_size(requested: u32) -> Result<u32> {
    page_size(requested, PAGE_SIZE, MAX_PAGE_SIZE)
}

/// The page size: `requested`, or `default` for 0.
///
/// # Errors
/// `requested` is above `max`.
pub fn page_size(requested: u32, default: u32, max: u32) -> Result<u32> {
    match requested {
        0 => Ok(default),
        size if size <= max => Ok(size),
        _ => Err(Error::field("size", format!("must be 1 to {max}"))),
    }
}

/// The page size of a short list: `requested`; 0 for the whole list.
///
/// # Errors
/// `requested` is above `max`.
pub fn page_size_or_all(requested: u32, max: u32) -> Result<usize> {
    page_size(requested, 0, max).map(|size| size as usize)
}

/// The items of a batch: at least one and at most `max`.
///
/// # Errors
/// There are no items, or more than `max`.
pub fn batch<'a, T>(field: &str, items: &'a [T], max: usize) -> Result<&'a [T]> {
    let fits = (1..=max).contains(&items.len());
    if fits { Ok(items) } else { Err(Error::field(field, format!("must be 1 to {max}"))) }
}

/// An invitation code in upper case: 4 to 16 letters and digits. `None` if the text cannot be a
/// code. Whether a member has the code is not checked here.
pub fn invite_code(text: &str) -> Option<String> {
    let text = text.trim();
    let is_code =
        (4..=16).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_code.then(|| text.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_size_is_bounded() {
        for (requested, size) in [(0, Some(4)), (1, Some(1)), (50, Some(50)), (51, None)] {
            assert_eq!(page_size(requested, 4, 50).ok(), size, "{requested}");
        }
        // The default may exceed the maximum of a request.
        assert_eq!(page_size(0, 200, 50).ok(), Some(200));
        for (requested, size) in [(0, Some(0)), (1, Some(1)), (100, Some(100)), (101, None)] {
            assert_eq!(page_size_or_all(requested, 100).ok(), size, "{requested}");
        }
    }

    #[test]
    fn batch_size_is_bounded() {
        for (items, is_accepted) in [(0, false), (1, true), (50, true), (51, false)] {
            assert_eq!(batch("ids", &vec![0; items], 50).is_ok(), is_accepted, "{items}");
        }
    }

    #[test]
    fn invite_code_has_letters_and_digits() {
        for (text, code) in [
            (" ab12 ", Some("AB12")),
            ("ABCDEFGHJKLMNPQR", Some("ABCDEFGHJKLMNPQR")),
            ("", None),
            ("abc", None),
            ("ab-12", None),
            ("سهم12", None),
            ("12345678901234567", None),
        ] {
            assert_eq!(invite_code(text).as_deref(), code, "{text}");
        }
    }
}
