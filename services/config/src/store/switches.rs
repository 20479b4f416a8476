//! Switches, as one document.

use sahm_chassis::error::{Error, Result};
use sahm_proto::{
    config::v1::{ListSwitchesResponse, Switch},
    tags,
};
use sea_orm::EntityTrait;

use super::{ConfigStore, documents, entities::document, items::append};
use crate::domain::SwitchChange;

const SWITCHES: &str = "switches";

impl ConfigStore {
    /// The features that are turned off.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn switches(&self) -> Result<Vec<Switch>> {
        Ok(self.document::<ListSwitchesResponse>(SWITCHES).await?.turned_off)
    }

    /// Turns a feature off or on, and returns the features that are off now. Concurrent changes are
    /// serialised.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn set_switch(&self, change: SwitchChange) -> Result<Vec<Switch>> {
        self.store
            .write(async |tx| {
                sahm_chassis::changes::lock(tx).await?;
                let row = document::Entity::find_by_id(SWITCHES.to_owned()).one(tx).await?;
                let mut switches = match row {
                    Some(row) => serde_json::from_str::<ListSwitchesResponse>(&row.json)
                        .map_err(Error::internal)?,
                    None => ListSwitchesResponse::default(),
                };
                change.apply(&mut switches.turned_off);
                if documents::put(tx, SWITCHES, &switches).await? {
                    append(tx, vec![tags::CONFIG_SWITCHES.to_owned()]).await?;
                }
                Ok(switches.turned_off)
            })
            .await
    }
}
