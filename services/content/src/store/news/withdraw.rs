//! Changes that callers ask for.
use std::collections::BTreeSet;

use sahm_chassis::{Result, changes};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};

use crate::domain::{EntryKind, Locale, is_id, tags};
use crate::store::{
    BATCH, ContentStore,
    entities::{article_text as text, news_tab},
    news::rows::{key, market, number},
    put::delist,
};

impl ContentStore {
    /// Takes items of a kind off the site, in all locales; gives the ids that there were, in the
    /// order requested.
    pub async fn withdraw_items(&self, kind: EntryKind, ids: &[u64]) -> Result<Vec<u64>> {
        match kind {
            EntryKind::News => self.withdraw(ids).await,
            EntryKind::NewsTab => self.withdraw_tabs(ids).await,
            kind => self.withdraw_entries(kind, ids).await,
        }
    }

    /// Takes tabs off the news page and gives the ids of those that were there, in the order
    /// requested. The articles of their markets stay.
    async fn withdraw_tabs(&self, ids: &[u64]) -> Result<Vec<u64>> {
        let requested: Vec<i64> = ids.iter().filter_map(|&id| i64::try_from(id).ok()).collect();
        let mut withdrawn = self
            .store
            .write(async |tx| {
                changes::lock(tx).await?;
                let is_requested = news_tab::Column::Id.is_in(requested.iter().copied());
                let found: Vec<i64> = news_tab::Entity::find()
                    .select_only()
                    .column(news_tab::Column::Id)
                    .filter(is_requested.clone())
                    .into_tuple()
                    .all(tx)
                    .await?;
                if !found.is_empty() {
                    news_tab::Entity::delete_many().filter(is_requested).exec(tx).await?;
                    changes::append(tx, &[tags::NEWS_TABS.to_owned()], false).await?;
                }
                found.into_iter().map(number).collect::<Result<BTreeSet<u64>>>()
            })
            .await?;
        Ok(ids.iter().copied().filter(|id| withdrawn.remove(id)).collect())
    }

    /// Takes articles off the site, all their texts, and gives the ids of those that were there,
    /// in the order requested. Read counts stay.
    pub async fn withdraw(&self, ids: &[u64]) -> Result<Vec<u64>> {
        let mut requested = BTreeSet::new();
        for &id in ids.iter().filter(|&&id| is_id(id)) {
            requested.insert(key(id)?);
        }
        let requested: Vec<i64> = requested.into_iter().collect();
        let withdrawn = self
            .store
            .write(async |tx| {
                changes::lock(tx).await?;
                let (mut withdrawn, mut changed) = (BTreeSet::new(), BTreeSet::new());
                for ids in requested.chunks(BATCH) {
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
}
