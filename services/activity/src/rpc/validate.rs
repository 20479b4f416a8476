//! Validation of requests: each error names its field.

use sahm_chassis::{
    cursor::{self, Position},
    error::{Error, Result},
};

use crate::domain::ShareChannel;

/// The greatest id that a store can hold.
const MAX_ID: u64 = i64::MAX.unsigned_abs();

/// The most items of a page of a short list.
const MAX_PAGE_SIZE: usize = 100;

/// The most ids of one batch.
const BATCH: usize = 50;

/// A campaign's id; one that no campaign can have stands for an unknown one.
pub(super) fn activity(id: u64) -> Result<u64> {
    match id {
        0 => Err(Error::field("activity_id", "must be given")),
        id => Ok(id.min(MAX_ID)),
    }
}

/// A member's id.
pub(super) fn member(id: u64) -> Result<u64> {
    match id {
        1..=MAX_ID => Ok(id),
        _ => Err(Error::field("member", "must be a member's id")),
    }
}

/// A share channel.
pub(super) fn channel(text: &str) -> Result<ShareChannel> {
    let names = || ShareChannel::ALL.map(ShareChannel::name).join(", ");
    ShareChannel::parse(text).ok_or_else(|| Error::field("channel", format!("one of {}", names())))
}

/// How many items a page has.
pub(super) fn size(request: u32, default: u32, most: u32) -> Result<u64> {
    match request {
        0 => Ok(default.into()),
        size if size <= most => Ok(size.into()),
        _ => Err(Error::field("size", format!("1 to {most}"))),
    }
}

/// How many items a page of a short list has; 0: all of it.
pub(super) fn size_or_all(request: u32) -> Result<usize> {
    match usize::try_from(request) {
        Ok(size @ ..=MAX_PAGE_SIZE) => Ok(size),
        _ => Err(Error::field("size", format!("1 to {MAX_PAGE_SIZE}"))),
    }
}

/// The ids of a batch.
pub(super) fn batch<T>(ids: &[T]) -> Result<&[T]> {
    if (1..=BATCH).contains(&ids.len()) {
        return Ok(ids);
    }
    Err(Error::field("ids", format!("1 to {BATCH}")))
}

/// [`cursor::cut`] for a size that a store takes.
pub(super) fn cut<T, P: Position>(
    list: &str,
    items: &mut Vec<T>,
    size: u64,
    position: impl Fn(&T) -> P,
) -> String {
    cursor::cut(list, items, usize::try_from(size).unwrap_or(usize::MAX), position)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn bounds() {
        assert_eq!(activity(6666).unwrap(), 6666);
        assert_eq!(activity(u64::MAX).unwrap(), MAX_ID);
        assert_eq!(activity(0).unwrap_err().fields()[0].field, "activity_id");
        assert!(member(0).is_err() && member(u64::MAX).is_err() && member(MAX_ID).is_ok());
        assert_eq!(size(0, 20, 100).unwrap(), 20);
        assert!(size(100, 20, 100).is_ok() && size(101, 20, 100).is_err());
        assert!(batch(&[0; 50]).is_ok() && batch(&[0; 51]).is_err() && batch::<u8>(&[]).is_err());
    }
}
