//! Members, sessions, codes, budgets and feedback in SQL, the same on both engines.

mod auth_codes;
mod budgets;
mod entities;
mod feedback;
mod member_data;
mod members;
mod migrations;
mod sessions;
mod sweep;

pub use auth_codes::NewCode;
pub use feedback::StoredFeedback;
pub use member_data::IdentityMemberData;
pub use members::{Account as StoredAccount, CodeLogin, CodeLoginAttempt};
pub use sessions::{LiveSession, NewSession};

use sahm_chassis::{
    BoxFuture,
    error::{Error, Result},
    settings::DatabaseUrl,
    store::Store,
};

#[derive(Clone, Debug)]
pub struct IdentityStore {
    store: Store,
}

impl IdentityStore {
    /// Opens the database and migrates its schema.
    pub fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            let store = Store::open(url, "identity", &migrations::MIGRATIONS).await?;
            Ok(Self { store })
        })
    }

    /// The underlying store, for readiness.
    pub fn inner(&self) -> &Store {
        &self.store
    }
}

/// An id as a column stores it; `None` for an id that exceeds the column, which no row has.
fn key(id: u64) -> Option<i64> {
    i64::try_from(id).ok()
}

fn id(key: i64) -> Result<u64> {
    u64::try_from(key).map_err(Error::internal)
}

fn seconds(column: i64) -> u32 {
    u32::try_from(column).unwrap_or(0)
}
