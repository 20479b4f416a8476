//! Web config items.

use sahm_chassis::{changes, error::Result, store::upsert};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, Set};

use super::{ConfigStore, entities::item};
use crate::domain::{ItemKey, tags_of_key};

impl ConfigStore {
    /// The items with these keys in the requested order, of the given `ctype` unless it is empty.
    pub async fn items(&self, keys: &[ItemKey], ctype: &str) -> Result<Vec<(String, String)>> {
        let names = keys.iter().map(ItemKey::as_str);
        let mut query = item::Entity::find().filter(item::Column::Key.is_in(names));
        if !ctype.is_empty() {
            query = query.filter(item::Column::Ctype.eq(ctype));
        }
        let mut rows = query.all(self.store.reader()).await?;
        rows.sort_by_key(|row| keys.iter().position(|key| key.as_str() == row.key));
        Ok(rows.into_iter().map(|row| (row.key, row.value)).collect())
    }

    /// Every item, by key.
    pub async fn all_items(&self) -> Result<Vec<(String, String)>> {
        let rows =
            item::Entity::find().order_by_asc(item::Column::Key).all(self.store.reader()).await?;
        Ok(rows.into_iter().map(|row| (row.key, row.value)).collect())
    }

    /// Sets items; an unchanged value purges nothing.
    pub async fn set_items(&self, items: &[(ItemKey, String)]) -> Result<()> {
        self.store
            .write(async |tx| {
                let mut tags = Vec::new();
                for (key, value) in items {
                    if put(tx, key.as_str(), value, None).await? {
                        tags.extend(tags_of_key(key.as_str()));
                    }
                }
                append(tx, tags).await.map(drop)
            })
            .await
    }
}

/// Writes one item; returns whether it changed.
pub(super) async fn put(
    tx: &DatabaseTransaction,
    key: &str,
    value: &str,
    ctype: Option<&str>,
) -> Result<bool> {
    let old = item::Entity::find_by_id(key.to_owned()).one(tx).await?;
    let ctype = ctype
        .map(str::to_owned)
        .or_else(|| old.as_ref().map(|row| row.ctype.clone()))
        .unwrap_or_else(|| "commons".to_owned());
    if old.is_some_and(|row| row.value == value && row.ctype == ctype) {
        return Ok(false);
    }
    let row = item::ActiveModel {
        key: Set(key.to_owned()),
        value: Set(value.to_owned()),
        ctype: Set(ctype),
    };
    upsert(tx, [row]).await?;
    Ok(true)
}

/// Appends a soft purge of the tags, if there are any; returns them without repetitions.
pub(super) async fn append(
    tx: &DatabaseTransaction,
    mut tags: Vec<&'static str>,
) -> Result<Vec<String>> {
    tags.sort_unstable();
    tags.dedup();
    let tags: Vec<String> = tags.into_iter().map(str::to_owned).collect();
    if !tags.is_empty() {
        changes::append(tx, &tags, true).await?;
    }
    Ok(tags)
}
