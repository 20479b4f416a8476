//! Drafts. They have their own table, so that no query for published texts can return them. Their
//! changes purge nothing, because drafts are never cached.
use std::collections::{HashMap, HashSet};

use sahm_chassis::{
    Error, Result, changes,
    store::{delete, upsert},
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder,
};

use crate::{
    domain::{
        DraftName, DraftType, Entry, EntryData, EntryKey, EntryKind, Locale, Media, NewsArticle,
        draft_label,
    },
    store::{
        BATCH, ContentStore, ImportSummary, StoredEntry,
        entities::{draft, entry},
        entries::{
            put::put,
            read::in_locale,
            rows::{
                Columns, StoredRow, check_media_name, entry_model, key, locale, locale_name,
                number, select,
            },
        },
    },
};

/// A draft in the list of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftListing {
    /// In the requested locale, with the other one as fallback.
    pub entry: Entry,
    /// Position of its first text in the folder.
    pub position: u32,
    /// The locales in which it exists.
    pub available_locales: Vec<Locale>,
    /// Epoch seconds of the last import that changed one of its texts.
    pub imported_at: u32,
}

impl DraftListing {
    /// The sort key of a draft in its type: position in the folder, then name.
    pub fn sort_key(&self) -> String {
        format!("{:010}\n{}", self.position, draft_label(&self.entry))
    }
}

impl ContentStore {
    /// Stores a folder's drafts, in the folder's order, and their media files. With `whole`, all
    /// other drafts of the type are deleted. Returns the summary and the number of deleted drafts.
    pub async fn put_drafts(
        &self,
        draft_type: &DraftType,
        drafts: &[Entry],
        media: &[Media],
        whole: bool,
        now: u32,
    ) -> Result<(ImportSummary, usize)> {
        self.store
            .write(async |tx| {
                changes::lock(tx).await?;
                put(tx, &[], media, now).await?;
                let rows = rows(tx, draft_type, Condition::all(), Columns::All).await?;
                let stored: HashMap<EntryKey, StoredRow> =
                    rows.into_iter().map(|(_, row)| (row.entry.key(), row)).collect();
                let (mut summary, mut kept) = (ImportSummary::default(), HashSet::new());
                let mut rows = Vec::new();
                for (position, draft) in drafts.iter().enumerate() {
                    let key = draft.key();
                    let before = stored.get(&key);
                    let has_changed = summary.count(before.map(|before| &before.entry), draft);
                    let imported_at =
                        before.filter(|_| !has_changed).map_or(now, |row| row.updated_at);
                    rows.push(row(draft_type, draft, position, imported_at)?);
                    kept.insert(key);
                }
                let deleted: Vec<_> =
                    stored.keys().filter(|key| whole && !kept.contains(key)).collect();
                for EntryKey { collection, id, locale } in &deleted {
                    let key = (
                        draft_type.as_str().to_owned(),
                        (*collection).to_owned(),
                        key(*id)?,
                        locale_name(*locale).to_owned(),
                    );
                    draft::Entity::delete_by_id(key).exec(tx).await?;
                }
                for rows in rows.chunks(BATCH) {
                    upsert(tx, rows.to_vec()).await?;
                }
                Ok((summary, deleted.len()))
            })
            .await
    }

    /// Deletes all drafts of a type and returns the number of deleted texts.
    pub async fn discard_drafts(&self, draft_type: &DraftType) -> Result<u64> {
        let of_type = draft::Column::DraftType.eq(draft_type.as_str());
        self.store.write(async |tx| delete::<draft::Entity>(tx, of_type).await).await
    }

    /// The drafts of a type in the order of its folder, without their bodies.
    pub async fn drafts(
        &self,
        draft_type: &DraftType,
        requested: Locale,
    ) -> Result<Vec<DraftListing>> {
        let mut rows =
            rows(self.store.reader(), draft_type, Condition::all(), Columns::WithoutBody).await?;
        rows.sort_by_key(|(position, _)| *position);
        let mut listed: Vec<DraftListing> = Vec::new();
        let mut indexes: HashMap<DraftName, usize> = HashMap::new();
        for (position, StoredRow { entry, updated_at: imported_at }) in rows {
            let name = DraftName::of(&entry);
            let Some(found) = indexes.get(&name).and_then(|&at| listed.get_mut(at)) else {
                indexes.insert(name, listed.len());
                let available_locales = entry.locale.into_iter().collect();
                listed.push(DraftListing { entry, position, available_locales, imported_at });
                continue;
            };
            found.available_locales.extend(entry.locale);
            found.available_locales.sort();
            found.imported_at = found.imported_at.max(imported_at);
            if entry.locale == Some(requested) {
                found.entry = entry;
            }
        }
        listed.sort_by_cached_key(DraftListing::sort_key);
        Ok(listed)
    }

    /// One draft of a type, in the requested locale with the other one as fallback.
    pub async fn draft(
        &self,
        draft_type: &DraftType,
        name: &DraftName,
        requested: Locale,
    ) -> Result<Option<StoredEntry>> {
        let named = Condition::all()
            .add(draft::Column::Kind.eq(name.collection()))
            .add(draft::Column::Id.eq(key(name.id())?));
        let rows = rows(self.store.reader(), draft_type, named, Columns::All).await?;
        Ok(in_locale(rows.into_iter().map(|(_, row)| row).collect(), requested))
    }
}

/// The texts of a type with their positions, ordered by kind and id.
async fn rows<C: ConnectionTrait>(
    db: &C,
    draft_type: &DraftType,
    filter: Condition,
    columns: Columns,
) -> Result<Vec<(u32, StoredRow)>> {
    let rows = select::<draft::Entity>(columns, draft::Column::BodyHtml)
        .filter(draft::Column::DraftType.eq(draft_type.as_str()))
        .filter(filter)
        .order_by_asc(draft::Column::Kind)
        .order_by_asc(draft::Column::Id)
        .all(db)
        .await?;
    rows.into_iter().map(|row| Ok((number(row.position)?, of_row(row)?))).collect()
}

fn row(
    draft_type: &DraftType,
    draft: &Entry,
    position: usize,
    now: u32,
) -> Result<draft::ActiveModel> {
    let entry::Model { kind, id, locale, slug, published_at, updated_at, data, body_html } =
        entry_model(draft, now)?;
    let row = draft::Model {
        draft_type: draft_type.as_str().to_owned(),
        kind,
        id,
        locale,
        position: i64::try_from(position).map_err(Error::internal)?,
        slug,
        published_at,
        imported_at: updated_at,
        data,
        body_html,
    };
    Ok(row.into_active_model().reset_all())
}

fn of_row(row: draft::Model) -> Result<StoredRow> {
    let data = if row.kind == EntryKind::News.as_str() {
        // Earlier releases stored an article without its kind.
        serde_json::from_str::<NewsArticle>(&row.data).map(EntryData::News)
    } else {
        serde_json::from_str(&row.data)
    };
    let entry = Entry {
        id: number(row.id)?,
        locale: Some(locale(&row.locale)?),
        slug: row.slug,
        published_at: number(row.published_at)?,
        body_html: row.body_html,
        data: data.map_err(Error::internal)?,
    };
    if entry.text().is_none() {
        return Err(Error::internal("a stored draft has no text"));
    }
    if let EntryData::News(NewsArticle { image: Some(image), .. }) = &entry.data {
        check_media_name(&image.picture.name)?;
    }
    Ok(StoredRow { entry, updated_at: number(row.imported_at)? })
}
