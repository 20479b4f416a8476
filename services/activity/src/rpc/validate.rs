//! Validation of requests: each error names its field.

pub(super) use sahm_chassis::validate::list_size;
use sahm_chassis::{
    Error, Result,
    validate::{self, MAX_ID},
};
use strum::VariantNames;

use crate::domain::ShareChannel;

const MAX_PAGE_SIZE: u32 = 100;
const MAX_BATCH: usize = 50;

/// The id of a campaign; one that no campaign can have is treated as unknown.
pub(super) fn activity(id: u64) -> Result<u64> {
    match id {
        0 => Err(Error::field("activity_id", "must be given")),
        id => Ok(id.min(MAX_ID)),
    }
}

pub(super) fn member(id: u64) -> Result<u64> {
    validate::member_id("member", id)
}

pub(super) fn channel(text: &str) -> Result<ShareChannel> {
    let names = || ShareChannel::VARIANTS.join(", ");
    text.parse().map_err(|_| Error::field("channel", format!("one of {}", names())))
}

/// The page size of a short list; 0 for the whole list.
pub(super) fn page_size_or_all(requested: u32) -> Result<usize> {
    validate::page_size_or_all(requested, MAX_PAGE_SIZE)
}

pub(super) fn batch<T>(ids: &[T]) -> Result<&[T]> {
    validate::batch("ids", ids, MAX_BATCH)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ids_and_page_sizes_are_bounded() {
        assert_eq!(activity(6666).unwrap(), 6666);
        assert_eq!(activity(u64::MAX).unwrap(), MAX_ID);
        assert_eq!(activity(0).unwrap_err().fields()[0].field, "activity_id");
        assert!(member(0).is_err() && member(u64::MAX).is_err() && member(MAX_ID).is_ok());
        assert_eq!(list_size(0).unwrap(), 20);
        assert!(list_size(100).is_ok() && list_size(101).is_err());
        assert!(batch(&[0; 50]).is_ok() && batch(&[0; 51]).is_err() && batch::<u8>(&[]).is_err());
    }
}
