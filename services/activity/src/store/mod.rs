//! Campaigns, invitations, participants, deposits and draws in SQL, the same on both engines.

mod campaigns;
mod deposits;
mod draws;
mod entities;
mod import;
mod invitations;
mod join;
mod member_data;
mod migrations;
mod participants;
mod tickets;

pub use deposits::Recorded;
pub use draws::NewDraw;
pub use import::Outcome;
pub use invitations::{Inviter, ShortChain};
pub use join::Join;
pub use participants::Participant;
pub use tickets::Ticket;

use sahm_chassis::{
    BoxFuture,
    error::{Error, ErrorCode, Result},
    settings::DatabaseUrl,
    store::Store,
};

#[derive(Clone, Debug)]
pub struct ActivityStore {
    store: Store,
}

impl ActivityStore {
    /// Opens the database and migrates its schema.
    pub fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            let store = Store::open(url, "activity", &migrations::MIGRATIONS).await?;
            Ok(Self { store })
        })
    }

    /// The underlying store, for the change log and readiness.
    pub fn inner(&self) -> &Store {
        &self.store
    }
}

/// Converts an id to its column type.
///
/// # Errors
/// `NotFound` for an id that no row can have.
fn key(id: u64) -> Result<i64> {
    i64::try_from(id).map_err(|_| Error::of(ErrorCode::NotFound))
}

fn id(key: i64) -> Result<u64> {
    u64::try_from(key).map_err(Error::internal)
}

/// Converts a column with epoch seconds or another small number.
fn small(column: i64) -> u32 {
    u32::try_from(column).unwrap_or(0)
}
