//! Changes that callers ask for.
use std::collections::BTreeSet;

use sahm_chassis::{Result, changes};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use super::{
    BATCH, ContentStore,
    entities::{article_read as read, article_text as text},
    put::delist,
    rows::{key, market, number},
};
use crate::domain::{Locale, is_id, tags};

impl ContentStore {
    /// Takes articles off the site, all their texts, and gives the ids of those that were there,
    /// in the order asked. Read counts stay.
    pub async fn withdraw(&self, ids: &[u64]) -> Result<Vec<u64>> {
        let mut asked = BTreeSet::new();
        for &id in ids.iter().filter(|&&id| is_id(id)) {
            asked.insert(key(id)?);
        }
        let asked: Vec<i64> = asked.into_iter().collect();
        let withdrawn = self
            .store
            .write(async |tx| {
                changes::lock(tx).await?;
                let (mut withdrawn, mut changed) = (BTreeSet::new(), BTreeSet::new());
                for ids in asked.chunks(BATCH) {
                    let rows: Vec<(i64, String)> = text::Entity::find()
                        .select_only()
                        .columns([text::Column::Id, text::Column::Market])
                        .filter(text::Column::Id.is_in(ids.iter().copied()))
                        .into_tuple()
                        .all(tx)
                        .await?;
                    for (id, name) in rows {
                        let id = number(id)?;
                        changed.extend(tags::news_change(id, Some(market(&name)?), None));
                        withdrawn.insert(id);
                    }
                    for locale in Locale::ALL {
                        delist(tx, ids, locale).await?;
                    }
                    text::Entity::delete_many()
                        .filter(text::Column::Id.is_in(ids.iter().copied()))
                        .exec(tx)
                        .await?;
                }
                if !withdrawn.is_empty() {
                    let changed: Vec<String> = changed.into_iter().collect();
                    changes::append(tx, &changed, false).await?;
                }
                Ok(withdrawn)
            })
            .await?;
        let mut left = withdrawn;
        Ok(ids.iter().copied().filter(|id| left.remove(id)).collect())
    }

    /// Counts one reading of an article and gives the count with it; `None` when the article has
    /// no text that is published. It is no change of content: nothing is purged.
    pub async fn count_reading(&self, id: u64, now: u32) -> Result<Option<u64>> {
        if !is_id(id) {
            return Ok(None);
        }
        let id = key(id)?;
        let texts = text::Entity::find()
            .filter(text::Column::Id.eq(id))
            .filter(text::Column::PublishedAt.lte(now))
            .count(self.store.reader())
            .await?;
        if texts == 0 {
            return Ok(None);
        }
        // One statement, so that readings at the same moment count as many.
        let more = Expr::col((read::Entity, read::Column::Count)).add(1);
        let add = OnConflict::column(read::Column::Id).value(read::Column::Count, more).to_owned();
        let row = self
            .store
            .write(async |tx| {
                let first = read::ActiveModel { id: Set(id), count: Set(1) };
                let row =
                    read::Entity::insert(first).on_conflict(add).exec_with_returning(tx).await?;
                Ok(row)
            })
            .await?;
        number(row.count).map(Some)
    }
}
