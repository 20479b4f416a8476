//! Imports a bundle of files into the database, in one transaction.

use sahm_chassis::error::Result;
use sahm_proto::tags;
use sea_orm::{ConnectionTrait, EntityTrait, PaginatorTrait};

use super::{
    ConfigStore, countries, documents,
    entities::{document, item},
    items,
};
use crate::{bundle::Bundle, domain::tags_of_key};

impl ConfigStore {
    /// Imports a bundle and returns the surrogate tags of the changes.
    pub async fn import(&self, bundle: &Bundle) -> Result<Vec<String>> {
        self.import_bundle(bundle, false).await
    }

    /// [`ConfigStore::import`] if the database is empty; two replicas that start together do it
    /// once.
    pub async fn seed(&self, bundle: &Bundle) -> Result<Vec<String>> {
        self.import_bundle(bundle, true).await
    }

    /// Whether nothing was ever imported or set.
    pub async fn is_empty(&self) -> Result<bool> {
        is_empty(self.store.reader()).await
    }

    async fn import_bundle(&self, bundle: &Bundle, only_empty: bool) -> Result<Vec<String>> {
        self.store
            .write(async |tx| {
                // Locked before the query, so that a second replica waits here and then finds rows.
                sahm_chassis::changes::lock(tx).await?;
                if only_empty && !is_empty(tx).await? {
                    return Ok(Vec::new());
                }
                let mut changed = Vec::new();
                for row in &bundle.items {
                    if items::put(tx, &row.key, &row.value, Some(&row.ctype)).await? {
                        changed.extend(tags_of_key(&row.key));
                    }
                }
                if let Some(menu) = &bundle.menu
                    && documents::put(tx, documents::MENU, menu).await?
                {
                    changed.push(tags::CONFIG_MENU);
                }
                if let Some(fees) = &bundle.fees
                    && documents::put(tx, documents::FEES, fees).await?
                {
                    changed.push(tags::CONFIG_FEES);
                }
                if !bundle.countries.is_empty() && countries::replace(tx, &bundle.countries).await?
                {
                    changed.push(tags::CONFIG_COUNTRIES);
                }
                items::append(tx, changed).await
            })
            .await
    }
}

async fn is_empty<C: ConnectionTrait>(db: &C) -> Result<bool> {
    let items = item::Entity::find().count(db).await?;
    Ok(items + document::Entity::find().count(db).await? == 0)
}
