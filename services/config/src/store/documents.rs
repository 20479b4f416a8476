//! Menu and fee schedule.

use sahm_chassis::{
    error::{Error, Result},
    store::upsert,
};
use sahm_proto::config::v1::{FeeSchedule, Menu};
use sea_orm::{ConnectionTrait, DatabaseTransaction, EntityTrait, Set};
use serde::{Serialize, de::DeserializeOwned};

use super::{ConfigStore, entities::document};

pub(super) const MENU: &str = "menu";
pub(super) const FEES: &str = "fees";

impl ConfigStore {
    /// The stored menu, with its placeholders.
    pub async fn menu(&self) -> Result<Menu> {
        get(self.store.reader(), MENU).await
    }

    pub async fn fees(&self) -> Result<FeeSchedule> {
        get(self.store.reader(), FEES).await
    }
}

/// A document; empty if it was never written.
pub(super) async fn get<T: DeserializeOwned + Default>(
    db: &impl ConnectionTrait,
    name: &str,
) -> Result<T> {
    match document::Entity::find_by_id(name).one(db).await? {
        Some(row) => serde_json::from_str(&row.json).map_err(Error::internal),
        None => Ok(T::default()),
    }
}

/// Writes a document; returns whether it changed.
pub(super) async fn put(
    tx: &DatabaseTransaction,
    name: &str,
    value: &impl Serialize,
) -> Result<bool> {
    let json = serde_json::to_string(value).map_err(Error::internal)?;
    let old = document::Entity::find_by_id(name.to_owned()).one(tx).await?;
    if old.is_some_and(|row| row.json == json) {
        return Ok(false);
    }
    let row = document::ActiveModel { name: Set(name.to_owned()), json: Set(json) };
    upsert(tx, [row]).await?;
    Ok(true)
}
