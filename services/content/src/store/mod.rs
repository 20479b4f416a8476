//! The published content in a database. The same code runs on SQLite and PostgreSQL.

mod counts;
mod drafts;
mod entities;
mod entries;
mod media;
mod member_data;
mod migrations;
mod news;
mod seed;

use std::ops::AddAssign;

use sahm_chassis::{BoxFuture, Result, settings::DatabaseUrl, store::Store};

pub use counts::Counts;
pub use drafts::DraftListing;
pub use entries::{EntryRef, StoredEntry, VideoProgress};

/// How the store is named in settings and PostgreSQL.
const SERVICE: &str = "content";

/// The most rows that one statement names.
const BATCH: usize = 200;

#[derive(Clone)]
pub struct ContentStore {
    store: Store,
}

/// What became of the items that were put into the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    pub added: usize,
    pub changed: usize,
    pub unchanged: usize,
}

impl ContentStore {
    /// Opens the database and brings its tables to the present shape.
    pub fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            Ok(Self { store: Store::open::<migrations::Migrations>(url, SERVICE).await? })
        })
    }

    /// The bare store, for the change log and readiness.
    pub fn store(&self) -> &Store {
        &self.store
    }
}

impl AddAssign for ImportSummary {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
    }
}
