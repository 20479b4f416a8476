//! What a search can find, read in the order of ids.
use sahm_chassis::Result;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::domain::{EntryKind, Locale, NewsText, SearchDocument};
use crate::store::{
    BATCH, ContentStore,
    entities::{article_text as text, entry},
    entries::put::of_row,
    news::rows::news_text,
};

impl ContentStore {
    /// The texts of about `size` items of a collection with ids above `after`, those dated ahead
    /// too.
    pub async fn search_documents(
        &self,
        kind: EntryKind,
        after: u64,
        size: u64,
    ) -> Result<Vec<SearchDocument>> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let above = match kind {
            EntryKind::News => text::Column::Id.gt(after),
            _ => entry::Column::Id.gt(after),
        };
        // All texts of an item come together.
        let limit = size * Locale::ALL.len() as u64;
        let mut found = self.search_rows(kind, above.into(), Some(limit + 1)).await?;
        if found.len() as u64 > limit
            && let Some(last) = found.last().map(|last| last.id)
        {
            // Some texts of the last item may have been cut off.
            found.retain(|document| document.id != last);
        }
        Ok(found)
    }

    /// The texts of items of a collection.
    pub async fn search_documents_of(
        &self,
        kind: EntryKind,
        ids: &[u64],
    ) -> Result<Vec<SearchDocument>> {
        let keys: Vec<i64> = ids.iter().filter_map(|&id| i64::try_from(id).ok()).collect();
        let mut found = Vec::new();
        for keys in keys.chunks(BATCH) {
            let keys = keys.iter().copied();
            let named = match kind {
                EntryKind::News => text::Column::Id.is_in(keys),
                _ => entry::Column::Id.is_in(keys),
            };
            found.extend(self.search_rows(kind, named.into(), None).await?);
        }
        Ok(found)
    }

    async fn search_rows(
        &self,
        kind: EntryKind,
        filter: Condition,
        limit: Option<u64>,
    ) -> Result<Vec<SearchDocument>> {
        if kind == EntryKind::News {
            let rows = text::Entity::find().filter(filter).order_by_asc(text::Column::Id);
            let rows = rows.limit(limit).all(self.store.reader()).await?;
            return rows.into_iter().map(|row| Ok(news_document(news_text(row)?))).collect();
        }
        let rows = entry::Entity::find()
            .filter(entry::Column::Kind.eq(kind.collection()))
            .filter(filter)
            .order_by_asc(entry::Column::Id)
            .limit(limit)
            .all(self.store.reader())
            .await?;
        rows.into_iter().filter_map(|row| entry_document(row).transpose()).collect()
    }
}

fn news_document(text: NewsText) -> SearchDocument {
    SearchDocument {
        kind: EntryKind::News,
        id: text.id,
        locale: text.locale,
        slug: String::new(),
        title: text.title,
        summary: text.summary,
        keywords: Vec::new(),
        body_html: text.body_html,
        parent: 0,
        published_at: text.published_at,
        common: false,
    }
}

fn entry_document(row: entry::Model) -> Result<Option<SearchDocument>> {
    let entry = of_row(row)?;
    let (Some(text), Some(locale)) = (entry.text().cloned(), entry.locale) else {
        return Ok(None);
    };
    Ok(Some(SearchDocument {
        kind: entry.kind(),
        id: entry.id,
        locale,
        slug: entry.slug,
        title: text.title,
        summary: text.summary,
        keywords: text.keywords,
        body_html: entry.body_html,
        parent: text.parent,
        published_at: entry.published_at,
        common: text.common,
    }))
}
