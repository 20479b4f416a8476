//! Events, their counts and their delivery in SQL, the same on both engines.
//!
//! One row (`attribution_log`) numbers the events. The transaction that accepts events locks it
//! until the commit, so that sequences have no gaps and are in the order of commits over all
//! replicas. The state of a sink is therefore a position in that order, and its backlog is a
//! difference of two sequences.

mod accept;
mod counts;
mod dead_letters;
mod entities;
mod events;
mod member_data;
mod migrations;
mod prune;
mod sinks;

pub use accept::Outcome;
pub use counts::CountRow;
pub use dead_letters::DeadLetterRow;
pub use prune::{PRUNE_BATCH, PrunedBatch};
pub use sinks::{Lease, SinkState};

use sahm_chassis::{BoxFuture, error::Result, settings::DatabaseUrl, store::Store};

#[derive(Clone)]
pub struct EventStore {
    store: Store,
}

impl EventStore {
    /// Opens the database and migrates its schema.
    pub fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            let store = Store::open(url, "attribution", &migrations::MIGRATIONS).await?;
            Ok(Self { store })
        })
    }

    /// The underlying store, for readiness.
    pub fn inner(&self) -> &Store {
        &self.store
    }
}

fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn to_u64(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn to_u32(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(if number < 0 { 0 } else { u32::MAX })
}
