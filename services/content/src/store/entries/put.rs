//! Takes entries in.
use std::collections::{BTreeMap, BTreeSet, HashMap};

use sahm_chassis::{Error, Result};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction,
    EntityTrait, IntoActiveModel, Iterable, QueryFilter, sea_query::OnConflict,
};

use crate::domain::Entry;
use crate::store::{
    BATCH, ImportSummary,
    entities::{entry, entry_listing as listing},
    news::rows::{key, locale, number},
};

#[derive(Default)]
pub(crate) struct EntryPlan<'a> {
    pub(crate) entries: Vec<&'a Entry>,
    pub(crate) tags: BTreeSet<String>,
    pub(crate) soft_tags: BTreeSet<&'static str>,
    pub(crate) summary: ImportSummary,
}

impl<'a> EntryPlan<'a> {
    /// Of entries with the same key the last one counts.
    pub(crate) async fn make<C: ConnectionTrait>(
        db: &C,
        entries: impl Iterator<Item = &'a Entry>,
    ) -> Result<Self> {
        let mut collections: BTreeMap<&str, BTreeMap<_, &Entry>> = BTreeMap::new();
        for entry in entries {
            let collection = collections.entry(entry.kind().collection()).or_default();
            collection.insert((entry.id, entry.locale), entry);
        }
        let mut plan = Self::default();
        for (collection, entries) in collections {
            let entries: Vec<&Entry> = entries.into_values().collect();
            for entries in entries.chunks(BATCH) {
                plan.add(db, collection, entries).await?;
            }
        }
        Ok(plan)
    }

    async fn add<C: ConnectionTrait>(
        &mut self,
        db: &C,
        collection: &str,
        entries: &[&'a Entry],
    ) -> Result<()> {
        let ids = entries.iter().map(|entry| key(entry.id)).collect::<Result<BTreeSet<_>>>()?;
        let rows = entry::Entity::find()
            .filter(entry::Column::Kind.eq(collection))
            .filter(entry::Column::Id.is_in(ids))
            .all(db)
            .await?;
        let mut stored = HashMap::with_capacity(rows.len());
        for row in rows {
            let entry = of_row(row)?;
            stored.insert((entry.id, entry.locale), entry);
        }
        for &entry in entries {
            let before = stored.get(&(entry.id, entry.locale));
            if before == Some(entry) {
                self.summary.unchanged += 1;
                continue;
            }
            match before {
                Some(_) => self.summary.changed += 1,
                None => self.summary.added += 1,
            }
            self.tags.extend(before.map(Entry::tags).into_iter().flatten());
            self.tags.extend(entry.tags());
            self.soft_tags.extend(entry.kind().soft_tags());
            self.entries.push(entry);
        }
        Ok(())
    }
}

/// Writes entries and their places in lists.
pub(crate) async fn put_entries(
    tx: &DatabaseTransaction,
    entries: &[&Entry],
    now: u32,
) -> Result<()> {
    for entries in entries.chunks(BATCH) {
        let mut gone: BTreeMap<(&str, &str), Vec<i64>> = BTreeMap::new();
        for entry in entries {
            let listed = (entry.kind().collection(), locale_name(entry));
            gone.entry(listed).or_default().push(key(entry.id)?);
        }
        for ((collection, locale), ids) in gone {
            delist(tx, collection, &ids, Some(locale)).await?;
        }
        let rows = entries.iter().map(|entry| row(entry, now)).collect::<Result<Vec<_>>>()?;
        let replace =
            OnConflict::columns([entry::Column::Kind, entry::Column::Id, entry::Column::Locale])
                .update_columns(entry::Column::iter())
                .to_owned();
        entry::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;

        let mut places = Vec::new();
        for entry in entries {
            for (list, rank) in entry.places() {
                places.push(listing::ActiveModel {
                    list: Set(list),
                    locale: Set(locale_name(entry).to_owned()),
                    rank: Set(rank),
                    id: Set(key(entry.id)?),
                    kind: Set(entry.kind().collection().to_owned()),
                    published_at: Set(entry.published_at.into()),
                });
            }
        }
        for places in places.chunks(BATCH) {
            listing::Entity::insert_many(places.to_vec()).exec_without_returning(tx).await?;
        }
    }
    Ok(())
}

/// Takes entries out of every list, in one locale or in all.
pub(crate) async fn delist(
    tx: &DatabaseTransaction,
    collection: &str,
    ids: &[i64],
    locale: Option<&str>,
) -> Result<()> {
    let mut places = listing::Entity::delete_many()
        .filter(listing::Column::Kind.eq(collection))
        .filter(listing::Column::Id.is_in(ids.iter().copied()));
    if let Some(locale) = locale {
        places = places.filter(listing::Column::Locale.eq(locale));
    }
    places.exec(tx).await?;
    Ok(())
}

pub(crate) fn of_row(row: entry::Model) -> Result<Entry> {
    Ok(Entry {
        id: number(row.id)?,
        locale: match row.locale.as_str() {
            "" => None,
            name => Some(locale(name)?),
        },
        slug: row.slug,
        published_at: number(row.published_at)?,
        body_html: row.body_html,
        data: serde_json::from_str(&row.data).map_err(Error::internal)?,
    })
}

fn row(entry: &Entry, now: u32) -> Result<entry::ActiveModel> {
    let row = entry::Model {
        kind: entry.kind().collection().to_owned(),
        id: key(entry.id)?,
        locale: locale_name(entry).to_owned(),
        slug: entry.slug.clone(),
        published_at: entry.published_at.into(),
        updated_at: now.into(),
        data: serde_json::to_string(&entry.data).map_err(Error::internal)?,
        body_html: entry.body_html.clone(),
    };
    Ok(row.into_active_model().reset_all())
}

fn locale_name(entry: &Entry) -> &'static str {
    entry.locale.map_or("", |locale| locale.as_str())
}
