//! Takes items in: what stands there alike is left alone, all else is changed in one transaction
//! with its place in the change log.
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sahm_chassis::{Result, changes, store::Engine};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, Iterable,
    QueryFilter, QuerySelect, sea_query::OnConflict,
};

use crate::domain::{Entry, Item, Locale, Market, Media, NewsText, Tab, tags};
use crate::store::{
    BATCH, ContentStore, ImportSummary,
    entities::{article_listing as listing, article_text as text, media, news_tab},
    entries::put::{EntryPlan, put_entries},
    news::rows::{key, news_text, tab, tab_row, text_row},
};

/// So many changes at once make what PostgreSQL knows of the tables too old.
const CHANGES_BEFORE_ANALYZE: usize = 500;

#[derive(Default)]
struct Plan<'a> {
    texts: Vec<&'a NewsText>,
    tabs: Vec<&'a Tab>,
    entries: Vec<&'a Entry>,
    media: Vec<&'a Media>,
    tags: BTreeSet<String>,
    soft_tags: BTreeSet<&'static str>,
    summary: ImportSummary,
}

impl ContentStore {
    /// Puts items and the pictures that they show into the store, all of them or, on an error,
    /// none. Of items with the same key the last one counts.
    pub async fn put(&self, items: &[Item], media: &[Media], now: u32) -> Result<ImportSummary> {
        let plan = Plan::make(self.store.reader(), items, media).await?;
        if plan.is_empty() {
            return Ok(plan.summary);
        }
        let summary = self
            .store
            .write(async |tx| {
                changes::lock(tx).await?;
                put(tx, items, media, now).await
            })
            .await?;
        if summary.added + summary.changed >= CHANGES_BEFORE_ANALYZE {
            self.refresh_statistics().await?;
        }
        Ok(summary)
    }

    /// Updates PostgreSQL's planner statistics, which autovacuum does only a minute or more after an
    /// import. SQLite plans by the keys.
    async fn refresh_statistics(&self) -> Result<()> {
        if self.store.engine() == Engine::Postgres {
            let looked = async |tx: &DatabaseTransaction| {
                tx.execute_unprepared(
                    "ANALYZE article_text, article_listing, entry, entry_listing",
                )
                .await?;
                Ok(())
            };
            self.store.write(looked).await?;
        }
        Ok(())
    }
}

/// [`ContentStore::put`] within a transaction that holds the change log's lock.
pub(super) async fn put(
    tx: &DatabaseTransaction,
    items: &[Item],
    media: &[Media],
    now: u32,
) -> Result<ImportSummary> {
    let plan = Plan::make(tx, items, media).await?;
    if plan.is_empty() {
        return Ok(plan.summary);
    }
    for media in &plan.media {
        let row = media::ActiveModel {
            name: Set(media.name.to_string()),
            content_type: Set(media.kind.content_type().to_owned()),
            body: Set(media.body.clone()),
        };
        media::Entity::insert(row).exec_without_returning(tx).await?;
    }
    for texts in plan.texts.chunks(BATCH) {
        put_texts(tx, texts, now).await?;
    }
    for tabs in plan.tabs.chunks(BATCH) {
        let rows = tabs.iter().map(|tab| tab_row(tab)).collect::<Result<Vec<_>>>()?;
        let replace = OnConflict::column(news_tab::Column::Id)
            .update_columns(news_tab::Column::iter())
            .to_owned();
        news_tab::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    }
    put_entries(tx, &plan.entries, now).await?;
    append_changes(tx, plan.tags, plan.soft_tags).await?;
    Ok(plan.summary)
}

/// Appends to the change log what is purged hard and what is purged softly.
pub(super) async fn append_changes(
    tx: &DatabaseTransaction,
    hard: BTreeSet<String>,
    soft: BTreeSet<&'static str>,
) -> Result<()> {
    let soft = soft.into_iter().map(str::to_owned).collect::<Vec<_>>();
    for (tags, is_soft) in [(hard.into_iter().collect(), false), (soft, true)] {
        if !tags.is_empty() {
            changes::append(tx, &tags, is_soft).await?;
        }
    }
    Ok(())
}

async fn put_texts(tx: &DatabaseTransaction, texts: &[&NewsText], now: u32) -> Result<()> {
    for locale in Locale::ALL {
        let of_locale = texts.iter().filter(|text| text.locale == locale);
        let ids = of_locale.map(|text| key(text.id)).collect::<Result<Vec<_>>>()?;
        delist(tx, &ids, locale).await?;
    }
    let rows = texts.iter().map(|text| text_row(text, now)).collect::<Result<Vec<_>>>()?;
    let replace = OnConflict::columns([text::Column::Id, text::Column::Locale])
        .update_columns(text::Column::iter())
        .to_owned();
    text::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;

    let mut places = Vec::new();
    for text in texts {
        for list in text.market.lists() {
            places.push(listing::ActiveModel {
                list: Set(list.as_str().to_owned()),
                locale: Set(text.locale.as_str().to_owned()),
                published_at: Set(text.published_at.into()),
                id: Set(key(text.id)?),
            });
        }
    }
    listing::Entity::insert_many(places).exec_without_returning(tx).await?;
    Ok(())
}

/// Takes the texts of one locale out of every list.
pub(super) async fn delist(tx: &DatabaseTransaction, ids: &[i64], locale: Locale) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    listing::Entity::delete_many()
        .filter(listing::Column::Id.is_in(ids.iter().copied()))
        .filter(listing::Column::Locale.eq(locale.as_str()))
        .exec(tx)
        .await?;
    Ok(())
}

impl<'a> Plan<'a> {
    fn is_empty(&self) -> bool {
        self.texts.is_empty()
            && self.tabs.is_empty()
            && self.entries.is_empty()
            && self.media.is_empty()
    }

    async fn make<C: ConnectionTrait>(
        db: &C,
        items: &'a [Item],
        media: &'a [Media],
    ) -> Result<Self> {
        let mut plan = Self::default();
        let (mut texts, mut tabs) = (BTreeMap::new(), BTreeMap::new());
        for item in items {
            match item {
                Item::News(text) => drop(texts.insert((text.id, text.locale), &**text)),
                Item::Tab(tab) => drop(tabs.insert(tab.id, tab)),
                Item::Entry(_) => {}
            }
        }
        let texts: Vec<&NewsText> = texts.into_values().collect();
        for texts in texts.chunks(BATCH) {
            plan.add_texts(db, texts).await?;
        }
        if !tabs.is_empty() {
            plan.add_tabs(db, tabs).await?;
        }
        let entries = items.iter().filter_map(|item| match item {
            Item::Entry(entry) => Some(&**entry),
            _ => None,
        });
        let entries = EntryPlan::make(db, entries).await?;
        plan.summary += entries.summary;
        plan.tags.extend(entries.tags);
        plan.soft_tags.extend(entries.soft_tags);
        plan.entries = entries.entries;
        if !media.is_empty() {
            plan.add_media(db, media).await?;
        }
        Ok(plan)
    }

    async fn add_texts<C: ConnectionTrait>(
        &mut self,
        db: &C,
        texts: &[&'a NewsText],
    ) -> Result<()> {
        let ids = texts.iter().map(|text| key(text.id)).collect::<Result<BTreeSet<_>>>()?;
        let rows = text::Entity::find().filter(text::Column::Id.is_in(ids)).all(db).await?;
        let mut stored = HashMap::with_capacity(rows.len());
        for row in rows {
            let text = news_text(row)?;
            stored.insert((text.id, text.locale), text);
        }
        for &text in texts {
            let before = stored.get(&(text.id, text.locale));
            if before == Some(text) {
                self.summary.unchanged += 1;
                continue;
            }
            match before {
                Some(_) => self.summary.changed += 1,
                None => self.summary.added += 1,
            }
            let before: Option<Market> = before.map(|text| text.market);
            self.tags.extend(tags::news_change(text.id, before, Some(text.market)));
            self.texts.push(text);
        }
        Ok(())
    }

    async fn add_tabs<C: ConnectionTrait>(
        &mut self,
        db: &C,
        tabs: BTreeMap<u64, &'a Tab>,
    ) -> Result<()> {
        let rows = news_tab::Entity::find().all(db).await?;
        let stored = rows.into_iter().map(tab).collect::<Result<Vec<_>>>()?;
        let stored: HashMap<u64, Tab> = stored.into_iter().map(|tab| (tab.id, tab)).collect();
        for (id, tab) in tabs {
            match stored.get(&id) {
                Some(before) if before == tab => {
                    self.summary.unchanged += 1;
                    continue;
                }
                Some(_) => self.summary.changed += 1,
                None => self.summary.added += 1,
            }
            self.tags.insert(tags::NEWS_TABS.to_owned());
            self.tabs.push(tab);
        }
        Ok(())
    }

    async fn add_media<C: ConnectionTrait>(&mut self, db: &C, media: &'a [Media]) -> Result<()> {
        let mut stored = HashSet::new();
        for media in media.chunks(BATCH) {
            let names = media.iter().map(|media| media.name.as_str());
            let found: Vec<String> = media::Entity::find()
                .select_only()
                .column(media::Column::Name)
                .filter(media::Column::Name.is_in(names))
                .into_tuple()
                .all(db)
                .await?;
            stored.extend(found);
        }
        let new = media.iter().filter(|media| stored.insert(media.name.to_string()));
        self.media.extend(new);
        Ok(())
    }
}
