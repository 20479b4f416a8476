//! Events, their counts and their way to sinks in SQL, the same on both engines.
//!
//! One row (`attribution_log`) numbers the events: it is locked by the transaction that takes them
//! in until that commits, so numbers have no gaps and come in the order of commits, over all
//! replicas. A sink is therefore no more than a position in that order, and what it is owed is a
//! difference of two numbers.

mod accept;
mod counts;
mod dead_letters;
mod events;
mod member_data;
mod migrations;
mod prune;
mod sinks;

pub use accept::Outcome;
pub use counts::CountRow;
pub use dead_letters::DeadLetterRow;
pub use prune::{PRUNE_BATCH, Pruned};
pub use sinks::{Lease, SinkState};

use sahm_chassis::{
    BoxFuture,
    error::Result,
    settings::DatabaseUrl,
    store::{Durability, Store},
};

#[derive(Clone)]
pub struct EventStore {
    store: Store,
}

impl EventStore {
    /// Opens and migrates the database; a commit is on the disk when it returns.
    pub fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            let store =
                Store::open_durable::<migrations::Migrations>(url, "attribution", Durability::Full)
                    .await?;
            Ok(Self { store })
        })
    }

    /// The store below, for readiness.
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
