//! Channels, documents and page information of the help centre.

mod records;

pub(crate) use records::{DocumentRecord, GroupRecord, SeoRecord};
