//! Configuration in SQL, the same on both engines.

mod countries;
mod documents;
mod entities;
mod import;
mod items;
mod migrations;
mod switches;

pub(crate) use entities::country::ActiveModel as CountryActiveModel;

use sahm_chassis::{BoxFuture, error::Result, settings::DatabaseUrl, store::Store};

#[derive(Clone)]
pub struct ConfigStore {
    store: Store,
}

impl ConfigStore {
    pub fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            let store = Store::open(url, "config", &migrations::MIGRATIONS).await?;
            Ok(Self { store })
        })
    }

    /// The underlying store, for the change log and readiness.
    pub fn inner(&self) -> &Store {
        &self.store
    }
}
