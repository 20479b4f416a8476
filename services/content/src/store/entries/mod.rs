//! Entries of all kinds.

pub(crate) mod put;
pub(crate) mod read;
pub(crate) mod rows;
mod withdraw;

pub use read::StoredEntry;
