//! Texts that are not published. They have a table of their own, so that nothing that asks for
//! published ones can find them, and their changes purge nothing: no cache holds them.

mod rows;

use std::collections::{HashMap, HashSet};

use sahm_chassis::Result;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DerivePartialModel, EntityTrait, Iterable, QueryFilter,
    QueryOrder, sea_query::OnConflict,
};

use crate::domain::{Draft, DraftName, DraftType, Locale, Media};
use crate::store::{
    BATCH, ContentStore, ImportSummary,
    drafts::rows::{of_row, row},
    entities::draft,
    news::rows::{key, number},
    put::put,
};

/// A draft in the list of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftListing {
    /// In the requested locale, else in the other one; without its body.
    pub draft: Draft,
    /// Where its first text stands in the folder.
    pub position: u32,
    /// The locales in which it exists.
    pub available_locales: Vec<Locale>,
    /// Epoch seconds of the last import that changed one of its texts.
    pub imported_at: u32,
}

impl DraftListing {
    /// Orders the drafts of a type: by the folder, then by their names.
    pub fn position(&self) -> String {
        format!("{:010}\n{}", self.position, self.draft.label())
    }
}

/// A draft whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDraft {
    /// In the requested locale, else in the other one.
    pub draft: Draft,
    /// The locales in which it exists.
    pub available_locales: Vec<Locale>,
    /// Epoch seconds of the last import that changed this text.
    pub imported_at: u32,
}

#[derive(DerivePartialModel)]
#[sea_orm(entity = "draft::Entity")]
struct HeadRow {
    draft_type: String,
    kind: String,
    id: i64,
    locale: String,
    position: i64,
    slug: String,
    published_at: i64,
    imported_at: i64,
    data: String,
}

impl HeadRow {
    fn whole(self) -> draft::Model {
        draft::Model {
            draft_type: self.draft_type,
            kind: self.kind,
            id: self.id,
            locale: self.locale,
            position: self.position,
            slug: self.slug,
            published_at: self.published_at,
            imported_at: self.imported_at,
            data: self.data,
            body_html: String::new(),
        }
    }
}

impl ContentStore {
    /// Keeps a folder's drafts, in its order, and the files that they show. `whole`: those of the
    /// type that are not among them go. Gives what became of them, and how many went.
    pub async fn put_drafts(
        &self,
        draft_type: &DraftType,
        drafts: &[Draft],
        media: &[Media],
        whole: bool,
        now: u32,
    ) -> Result<(ImportSummary, usize)> {
        self.store
            .write(async |tx| {
                put(tx, &[], media, now).await?;
                let stored = stored(tx, draft_type).await?;
                let (mut summary, mut kept) = (ImportSummary::default(), HashSet::new());
                let mut rows = Vec::new();
                for (position, draft) in drafts.iter().enumerate() {
                    let key = (draft.name(), draft.locale());
                    let imported_at = match stored.get(&key) {
                        Some((before, at)) if before == draft => {
                            summary.unchanged += 1;
                            *at
                        }
                        Some(_) => {
                            summary.changed += 1;
                            now
                        }
                        None => {
                            summary.added += 1;
                            now
                        }
                    };
                    rows.push(row(draft_type, draft, position, imported_at)?);
                    kept.insert(key);
                }
                let gone: Vec<_> =
                    stored.keys().filter(|key| whole && !kept.contains(key)).collect();
                for (name, locale) in &gone {
                    let key = (
                        draft_type.as_str().to_owned(),
                        name.collection().to_owned(),
                        key(name.id())?,
                        locale.as_str().to_owned(),
                    );
                    draft::Entity::delete_by_id(key).exec(tx).await?;
                }
                let replace = OnConflict::columns([
                    draft::Column::DraftType,
                    draft::Column::Kind,
                    draft::Column::Id,
                    draft::Column::Locale,
                ])
                .update_columns(draft::Column::iter())
                .to_owned();
                for rows in rows.chunks(BATCH) {
                    draft::Entity::insert_many(rows.to_vec())
                        .on_conflict(replace.clone())
                        .exec_without_returning(tx)
                        .await?;
                }
                Ok((summary, gone.len()))
            })
            .await
    }

    /// Discards all drafts of a type and gives how many texts they were.
    pub async fn discard_drafts(&self, draft_type: &DraftType) -> Result<u64> {
        self.store
            .write(async |tx| {
                let gone = draft::Entity::delete_many()
                    .filter(draft::Column::DraftType.eq(draft_type.as_str()))
                    .exec(tx)
                    .await?;
                Ok(gone.rows_affected)
            })
            .await
    }

    /// The drafts of a type in the order of its folder, without their texts.
    pub async fn drafts(
        &self,
        draft_type: &DraftType,
        requested: Locale,
    ) -> Result<Vec<DraftListing>> {
        let rows: Vec<HeadRow> = draft::Entity::find()
            .filter(draft::Column::DraftType.eq(draft_type.as_str()))
            .order_by_asc(draft::Column::Position)
            .order_by_asc(draft::Column::Kind)
            .order_by_asc(draft::Column::Id)
            .into_partial_model()
            .all(self.store.reader())
            .await?;
        let mut listed: Vec<DraftListing> = Vec::new();
        let mut places: HashMap<DraftName, usize> = HashMap::new();
        for row in rows {
            let (imported_at, position) = (number(row.imported_at)?, number(row.position)?);
            let draft = of_row(row.whole())?;
            let (name, locale) = (draft.name(), draft.locale());
            let Some(found) = places.get(&name).and_then(|&at| listed.get_mut(at)) else {
                places.insert(name, listed.len());
                let available_locales = vec![locale];
                listed.push(DraftListing { draft, position, available_locales, imported_at });
                continue;
            };
            found.available_locales.push(locale);
            found.available_locales.sort();
            found.imported_at = found.imported_at.max(imported_at);
            if locale == requested {
                found.draft = draft;
            }
        }
        listed.sort_by_cached_key(DraftListing::position);
        Ok(listed)
    }

    /// One draft of a type.
    pub async fn draft(
        &self,
        draft_type: &DraftType,
        name: &DraftName,
        requested: Locale,
    ) -> Result<Option<StoredDraft>> {
        let rows = draft::Entity::find()
            .filter(draft::Column::DraftType.eq(draft_type.as_str()))
            .filter(draft::Column::Kind.eq(name.collection()))
            .filter(draft::Column::Id.eq(key(name.id())?))
            .all(self.store.reader())
            .await?;
        let locales = rows.iter().map(|row| crate::store::news::rows::locale(&row.locale));
        let mut available_locales = locales.collect::<Result<Vec<_>>>()?;
        available_locales.sort();
        let Some(row) = rows.into_iter().max_by_key(|row| row.locale == requested.as_str()) else {
            return Ok(None);
        };
        let imported_at = number(row.imported_at)?;
        Ok(Some(StoredDraft { draft: of_row(row)?, available_locales, imported_at }))
    }
}

/// What stands there of a type, with the time of its import.
async fn stored<C: ConnectionTrait>(
    db: &C,
    draft_type: &DraftType,
) -> Result<HashMap<(DraftName, Locale), (Draft, u32)>> {
    let rows = draft::Entity::find()
        .filter(draft::Column::DraftType.eq(draft_type.as_str()))
        .all(db)
        .await?;
    let mut stored = HashMap::with_capacity(rows.len());
    for row in rows {
        let imported_at = number(row.imported_at)?;
        let draft = of_row(row)?;
        stored.insert((draft.name(), draft.locale()), (draft, imported_at));
    }
    Ok(stored)
}
