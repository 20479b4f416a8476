//! Queries about news articles and their tabs.
use std::collections::HashSet;

use sahm_chassis::Result;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QuerySelect};

use crate::{
    domain::{Entry, EntryData, EntryKind, List, Locale},
    store::{
        ContentStore,
        entities::{article_listing as listing, article_text as text},
        entries::rows::{Columns, keys, number, rows},
    },
};

impl ContentStore {
    pub async fn tabs(&self) -> Result<Vec<Entry>> {
        let (db, all) = (self.store.reader(), Condition::all());
        let rows = rows(db, EntryKind::NewsTab, all, Columns::All, None).await?;
        let mut tabs: Vec<Entry> = rows.into_iter().map(|row| row.entry).collect();
        tabs.sort_by_key(|entry| match &entry.data {
            EntryData::NewsTab(tab) => tab.position,
            _ => 0,
        });
        Ok(tabs)
    }

    /// Which of these articles have a published text.
    pub async fn published_ids(&self, ids: &[u64], now: u32) -> Result<HashSet<u64>> {
        let found: Vec<i64> = text::Entity::find()
            .select_only()
            .column(text::Column::Id)
            .filter(text::Column::Id.is_in(keys(ids)))
            .filter(text::Column::PublishedAt.lte(now))
            .into_tuple()
            .all(self.store.reader())
            .await?;
        found.into_iter().map(number).collect()
    }

    /// Number of articles of a list published after `since`, capped at `max`.
    pub async fn count_newer(
        &self,
        list: List,
        locale: Locale,
        since: u32,
        now: u32,
        max: u32,
    ) -> Result<u32> {
        let newer: Vec<i64> = listing::Entity::find()
            .select_only()
            .column(listing::Column::Id)
            .filter(listing::Column::List.eq(list.as_str()))
            .filter(listing::Column::Locale.eq(locale.as_str()))
            .filter(listing::Column::PublishedAt.gt(since))
            .filter(listing::Column::PublishedAt.lte(now))
            .limit(u64::from(max))
            .into_tuple()
            .all(self.store.reader())
            .await?;
        Ok(u32::try_from(newer.len()).unwrap_or(max))
    }
}
