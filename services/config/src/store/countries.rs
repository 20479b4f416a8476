//! Countries and their telephone codes.

use sahm_chassis::error::Result;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryOrder, Set,
};

use super::{ConfigStore, entities::country};
use crate::bundle::CountryRow;

impl ConfigStore {
    /// The country of an ISO 3166-1 alpha-2 code.
    pub async fn country(&self, id: &str) -> Result<Option<CountryRow>> {
        let row = country::Entity::find_by_id(id).into_model().one(self.store.reader()).await?;
        Ok(row)
    }

    /// All countries, by English name.
    pub async fn countries(&self) -> Result<Vec<CountryRow>> {
        countries(self.store.reader()).await
    }
}

async fn countries<C: ConnectionTrait>(db: &C) -> Result<Vec<CountryRow>> {
    let rows = country::Entity::find().order_by_asc(country::Column::Position);
    Ok(rows.into_model().all(db).await?)
}

/// Replaces all countries; false if they are the same.
pub(super) async fn replace(tx: &DatabaseTransaction, rows: &[CountryRow]) -> Result<bool> {
    if countries(tx).await? == rows {
        return Ok(false);
    }
    country::Entity::delete_many().exec(tx).await?;
    let rows = (0..).zip(rows).map(|(position, row)| country::ActiveModel {
        position: Set(position),
        ..row.clone().into_active_model()
    });
    country::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(true)
}
