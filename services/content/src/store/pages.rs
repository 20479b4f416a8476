//! What a search can find, read in the order of ids.
use sahm_chassis::Result;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{
    BATCH, ContentStore,
    entities::{article_text as text, entry},
    entry_put::of_row,
    rows::news_text,
};
use crate::{
    domain::{Locale, NewsText, Shelf},
    search::{Page, Source},
};

impl ContentStore {
    /// The texts of about `size` items with ids above `after`, those dated ahead too.
    pub async fn pages(&self, source: Source, after: u64, size: u64) -> Result<Vec<Page>> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        // All texts of an item come together.
        let size = size * Locale::ALL.len() as u64;
        let Some(shelf) = shelf(source) else {
            let mut rows = text::Entity::find()
                .filter(text::Column::Id.gt(after))
                .order_by_asc(text::Column::Id)
                .limit(size + 1)
                .all(self.store.reader())
                .await?;
            whole(&mut rows, size, |row| row.id);
            return rows.into_iter().map(|row| Ok(news_page(news_text(row)?))).collect();
        };
        let mut rows = entry::Entity::find()
            .filter(entry::Column::Shelf.eq(shelf.as_str()))
            .filter(entry::Column::Id.gt(after))
            .order_by_asc(entry::Column::Id)
            .limit(size + 1)
            .all(self.store.reader())
            .await?;
        whole(&mut rows, size, |row| row.id);
        rows.into_iter().filter_map(|row| entry_page(source, row).transpose()).collect()
    }

    /// The texts of items, in no order.
    pub async fn pages_of(&self, source: Source, ids: &[u64]) -> Result<Vec<Page>> {
        let keys: Vec<i64> = ids.iter().filter_map(|&id| i64::try_from(id).ok()).collect();
        let mut pages = Vec::new();
        for keys in keys.chunks(BATCH) {
            let keys = keys.iter().copied();
            if let Some(shelf) = shelf(source) {
                let rows = entry::Entity::find()
                    .filter(entry::Column::Shelf.eq(shelf.as_str()))
                    .filter(entry::Column::Id.is_in(keys))
                    .all(self.store.reader())
                    .await?;
                for row in rows {
                    pages.extend(entry_page(source, row)?);
                }
            } else {
                let rows = text::Entity::find().filter(text::Column::Id.is_in(keys));
                for row in rows.all(self.store.reader()).await? {
                    pages.push(news_page(news_text(row)?));
                }
            }
        }
        Ok(pages)
    }
}

fn shelf(source: Source) -> Option<Shelf> {
    match source {
        Source::News => None,
        Source::College => Some(Shelf::Article),
        Source::Help => Some(Shelf::Document),
    }
}

/// Of rows that were cut off, leaves out the last item, of which some may be missing.
fn whole<T>(rows: &mut Vec<T>, size: u64, id: impl Fn(&T) -> i64) {
    if rows.len() as u64 > size
        && let Some(last) = rows.last().map(&id)
    {
        rows.retain(|row| id(row) != last);
    }
}

fn news_page(text: NewsText) -> Page {
    Page {
        source: Source::News,
        kind: "news",
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

fn entry_page(source: Source, row: entry::Model) -> Result<Option<Page>> {
    let entry = of_row(row)?;
    let (Some(text), Some(locale)) = (entry.text().cloned(), entry.locale) else {
        return Ok(None);
    };
    Ok(Some(Page {
        source,
        kind: entry.head.kind(),
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
