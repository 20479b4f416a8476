//! Securities and announcements in SQL, the same on both engines.

mod announcements;
mod entities;
mod migrations;
mod securities;

use sahm_chassis::{BoxFuture, error::Result, settings::DatabaseUrl, store::Store};
use sea_orm::{EntityTrait, PaginatorTrait};

use crate::domain::{Announcement, Security};

#[derive(Clone)]
pub struct QuotesStore {
    store: Store,
}

impl QuotesStore {
    pub fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self>> {
        Box::pin(async move {
            let store = Store::open(url, "quotes", &migrations::MIGRATIONS).await?;
            Ok(Self { store })
        })
    }

    /// The underlying store, for readiness.
    pub fn inner(&self) -> &Store {
        &self.store
    }

    /// Imports securities and announcements; each replaces the one with its code or id.
    pub async fn import(
        &self,
        securities: &[Security],
        announcements: &[Announcement],
    ) -> Result<()> {
        self.import_all(securities, announcements, false).await.map(drop)
    }

    /// Imports them if the database is empty; returns whether it was. Two replicas that start
    /// together import once.
    pub async fn seed(
        &self,
        securities: &[Security],
        announcements: &[Announcement],
    ) -> Result<bool> {
        self.import_all(securities, announcements, true).await
    }

    pub async fn is_empty(&self) -> Result<bool> {
        Ok(entities::security::Entity::find().count(self.store.reader()).await? == 0)
    }

    async fn import_all(
        &self,
        securities: &[Security],
        announcements: &[Announcement],
        only_empty: bool,
    ) -> Result<bool> {
        self.store
            .write(async |tx| {
                // Locked before the query, so that a second replica waits here and then finds rows.
                sahm_chassis::changes::lock(tx).await?;
                if only_empty && entities::security::Entity::find().count(tx).await? > 0 {
                    return Ok(false);
                }
                securities::put(tx, securities).await?;
                announcements::put(tx, announcements).await?;
                Ok(true)
            })
            .await
    }
}
