//! Database of the published content. The same code runs on SQLite and PostgreSQL.

mod drafts;
mod entities;
mod entries;
mod media;
mod member_data;
mod migrations;
mod news;
mod readers;
mod seed;

use std::ops::AddAssign;

use sahm_chassis::{BoxFuture, Result, settings::DatabaseUrl, store::Store};

pub use drafts::DraftListing;
pub use entries::StoredEntry;
pub use readers::{Counts, VideoProgress};

use crate::domain::Entry;

/// Name of the store in settings and PostgreSQL.
const SERVICE: &str = "content";

/// Maximum number of rows per statement.
const BATCH: usize = 200;

#[derive(Clone)]
pub struct ContentStore {
    store: Store,
}

/// Counts of the entries of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    pub added: usize,
    pub changed: usize,
    pub unchanged: usize,
}

impl ContentStore {
    /// Opens the database and migrates its schema.
    pub fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            Ok(Self { store: Store::open(url, SERVICE, &migrations::MIGRATIONS).await? })
        })
    }

    /// The underlying store, for the change log and readiness.
    pub fn store(&self) -> &Store {
        &self.store
    }
}

impl ImportSummary {
    /// Counts an entry; returns whether it differs from the stored one.
    fn count(&mut self, stored: Option<&Entry>, entry: &Entry) -> bool {
        let count = match stored {
            Some(stored) if stored == entry => &mut self.unchanged,
            Some(_) => &mut self.changed,
            None => &mut self.added,
        };
        *count += 1;
        stored != Some(entry)
    }
}

impl AddAssign for ImportSummary {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
    }
}
