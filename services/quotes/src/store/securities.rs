//! Securities.

use sahm_chassis::{
    error::{Error, Result},
    store::upsert,
};
use sea_orm::{DatabaseTransaction, EntityTrait, Set};

use super::{QuotesStore, entities::security};
use crate::domain::{Catalogue, DataType, Security, SecurityCode, Status};

/// Maximum rows of one statement, below the engines' limits on parameters.
const MAX_ROWS: usize = 100;

impl QuotesStore {
    pub async fn catalogue(&self) -> Result<Catalogue> {
        let rows = security::Entity::find().all(self.store.reader()).await?;
        rows.into_iter().map(read).collect()
    }
}

pub(super) async fn put(tx: &DatabaseTransaction, securities: &[Security]) -> Result<()> {
    for some in securities.chunks(MAX_ROWS) {
        let rows = some.iter().map(|security| security::ActiveModel {
            code: Set(security.code.to_string()),
            data_type: Set(i64::from(security.data_type.0)),
            exchange: Set(security.exchange.clone()),
            name: Set(security.name.clone()),
            name_sa: Set(security.name_sa.clone()),
            level: Set(security.level.to_string()),
            status: Set(i32::try_from(security.status.number()).unwrap_or(0)),
            pre_ipo: Set(security.pre_ipo),
        });
        upsert(tx, rows).await?;
    }
    Ok(())
}

fn read(row: security::Model) -> Result<Security> {
    let invalid = |what: &str| Error::internal(format!("security {}: {what}", row.code));
    Ok(Security {
        code: SecurityCode::parse(&row.code).ok_or_else(|| invalid("code"))?,
        data_type: DataType(u32::try_from(row.data_type).map_err(|_| invalid("data type"))?),
        level: row.level.parse().map_err(|_| invalid("level"))?,
        status: u32::try_from(row.status)
            .ok()
            .and_then(Status::from_repr)
            .ok_or_else(|| invalid("status"))?,
        exchange: row.exchange,
        name: row.name,
        name_sa: row.name_sa,
        pre_ipo: row.pre_ipo,
    })
}
