//! The change log of docs/page-cache.md, shared by every service whose data appears on pages.
//!
//! A change is appended in the transaction of the data that it describes. On PostgreSQL an advisory
//! lock held until the commit keeps sequences in the order of commits; SQLite has only one writer
//! at a time. Sequences have no gaps, because they come from a row that is rolled back with the
//! rest.
//!
//! After restoring a backup an operator deletes the row of `change_log_meta`. The next start
//! creates a new log id, and every cache drops its entries from this service.
mod append;
mod entities;
mod poll;
mod service;

use std::time::Duration;

use crate::store::SqlMigration;
pub use append::{append, is_tag, lock};
pub use poll::ChangeLog;

/// How long entries are retained (docs/page-cache.md).
pub const RETENTION: Duration = Duration::from_secs(48 * 3600);

/// Upper bound on the tags of one entry; [`append`] splits longer lists.
pub const MAX_TAGS: usize = 1000;

/// The change log's migration; a service runs it before its own.
pub const MIGRATION: SqlMigration =
    SqlMigration::new("change_log_001_create", include_str!("changes/0001_change_log.sql"));

#[cfg(test)]
mod tests;
