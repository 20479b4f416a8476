//! Switches, as one document.

use sahm_chassis::error::Result;
use sahm_proto::{
    config::v1::{ListSwitchesResponse, Switch},
    tags,
};

use super::{ConfigStore, documents, items::append};
use crate::domain::SwitchChange;

const SWITCHES: &str = "switches";

impl ConfigStore {
    /// The features that are turned off.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn switches(&self) -> Result<Vec<Switch>> {
        Ok(documents::get::<ListSwitchesResponse>(self.store.reader(), SWITCHES).await?.turned_off)
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
                let mut switches: ListSwitchesResponse = documents::get(tx, SWITCHES).await?;
                change.apply(&mut switches.turned_off);
                if documents::put(tx, SWITCHES, &switches).await? {
                    append(tx, vec![tags::CONFIG_SWITCHES]).await?;
                }
                Ok(switches.turned_off)
            })
            .await
    }
}
