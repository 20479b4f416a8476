//! Countries and their telephone codes.

use sahm_chassis::error::Result;
use sea_orm::{ConnectionTrait, DatabaseTransaction, EntityTrait, QueryOrder, Set};

use super::{ConfigStore, entities::country};
use crate::bundle::CountryRow;

impl ConfigStore {
    /// The country of an ISO 3166-1 alpha-2 code.
    pub async fn country(&self, id: &str) -> Result<Option<CountryRow>> {
        let row = country::Entity::find_by_id(id.to_owned()).one(self.store.reader()).await?;
        Ok(row.map(CountryRow::from))
    }

    /// All countries, by English name.
    pub async fn countries(&self) -> Result<Vec<CountryRow>> {
        countries(self.store.reader()).await
    }
}

async fn countries<C: ConnectionTrait>(db: &C) -> Result<Vec<CountryRow>> {
    let rows = country::Entity::find().order_by_asc(country::Column::Position).all(db).await?;
    Ok(rows.into_iter().map(CountryRow::from).collect())
}

impl From<country::Model> for CountryRow {
    fn from(row: country::Model) -> Self {
        Self {
            id: row.id,
            code: row.code,
            name: row.name,
            name_ar: row.name_ar,
            tel_code: row.tel_code,
            general_rank: row.general_rank,
            area_code: row.area_code,
        }
    }
}

/// Replaces all countries; false if they are the same.
pub(super) async fn replace(tx: &DatabaseTransaction, rows: &[CountryRow]) -> Result<bool> {
    if countries(tx).await? == rows {
        return Ok(false);
    }
    country::Entity::delete_many().exec(tx).await?;
    let rows = (0..).zip(rows).map(|(position, row)| country::ActiveModel {
        id: Set(row.id.clone()),
        code: Set(row.code.clone()),
        name: Set(row.name.clone()),
        name_ar: Set(row.name_ar.clone()),
        tel_code: Set(row.tel_code.clone()),
        general_rank: Set(row.general_rank),
        area_code: Set(row.area_code),
        position: Set(position),
    });
    country::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(true)
}
