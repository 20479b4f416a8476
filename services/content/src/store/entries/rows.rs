//! Maps entries to rows. News articles and tabs have their own tables; the other kinds share one.
use sahm_chassis::{Error, ErrorCode, Result, store::upsert};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, EntityTrait,
    IdenStatic, IntoActiveModel, Iterable, QueryFilter, QueryOrder, QuerySelect, Select,
    TryInsertResult,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    domain::{
        Bilingual, Entry, EntryData, EntryKind, Image, Larger, Locale, Market, MediaName,
        NewsArticle, NewsTab, Picture, Text,
    },
    store::entities::{article_text, entry, news_tab},
};

/// An entry and the time, in epoch seconds, of the last import that changed it; 0 for tabs.
pub(crate) struct StoredRow {
    pub(crate) entry: Entry,
    pub(crate) updated_at: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    All,
    /// Leaves the body empty.
    WithoutBody,
}

/// The rows of a collection, ordered by id. Filters may use the column `id` and, for all
/// collections except tabs, `locale` and `published_at`.
pub(crate) async fn rows<C: ConnectionTrait>(
    db: &C,
    kind: EntryKind,
    filter: Condition,
    columns: Columns,
    limit: Option<u64>,
) -> Result<Vec<StoredRow>> {
    match kind {
        EntryKind::News => {
            let rows = select::<article_text::Entity>(columns, article_text::Column::BodyHtml);
            let rows = rows.filter(filter).order_by_asc(article_text::Column::Id).limit(limit);
            rows.all(db).await?.into_iter().map(article).collect()
        }
        EntryKind::NewsTab => {
            let rows = news_tab::Entity::find().filter(filter);
            let rows = rows.order_by_asc(news_tab::Column::Id).limit(limit).all(db).await?;
            rows.into_iter().map(tab).collect()
        }
        kind => {
            let rows = select::<entry::Entity>(columns, entry::Column::BodyHtml);
            let rows = rows.filter(entry::Column::Kind.eq(kind.collection())).filter(filter);
            let rows = rows.order_by_asc(entry::Column::Id).limit(limit).all(db).await?;
            rows.into_iter().map(stored).collect()
        }
    }
}

pub(crate) fn select<E: EntityTrait>(columns: Columns, body: E::Column) -> Select<E> {
    if columns == Columns::All {
        return E::find();
    }
    let others = E::Column::iter().filter(|column| column.as_str() != body.as_str());
    E::find().select_only().columns(others).expr_as(Expr::val(""), body.as_str())
}

pub(crate) fn of_ids(ids: &[i64]) -> Condition {
    Condition::all().add(Expr::col("id").is_in(ids.iter().copied()))
}

/// Converts ids to row keys; drops ids that exceed the column's range.
pub(crate) fn keys(ids: &[u64]) -> Vec<i64> {
    ids.iter().filter_map(|&id| i64::try_from(id).ok()).collect()
}

/// The locale in a row's key; empty for bilingual entries.
pub(crate) fn locale_name(locale: Option<Locale>) -> &'static str {
    locale.map_or("", Locale::as_str)
}

/// Writes entries of one collection.
pub(crate) async fn write(tx: &DatabaseTransaction, entries: &[&Entry], now: u32) -> Result<()> {
    let (mut articles, mut tabs, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        match &entry.data {
            EntryData::News(article) => articles.push(article_row(entry, article, now)?),
            EntryData::NewsTab(tab) => tabs.push(tab_row(entry, tab)?),
            _ => others.push(entry_model(entry, now)?.into_active_model().reset_all()),
        }
    }
    upsert(tx, articles).await?;
    upsert(tx, tabs).await?;
    upsert(tx, others).await
}

/// Inserts a row unless its key exists; returns whether it was inserted.
pub(crate) async fn insert_new<A: ActiveModelTrait>(
    tx: &DatabaseTransaction,
    row: A,
) -> Result<bool> {
    let insert = A::Entity::insert(row).on_conflict_do_nothing();
    let outcome = insert.exec_without_returning(tx).await?;
    Ok(matches!(outcome, TryInsertResult::Inserted(1)))
}

fn article(row: article_text::Model) -> Result<StoredRow> {
    let larger = Larger { x2: row.image_x2, x3: row.image_x3 };
    let (width, height) = (number(row.image_width)?, number(row.image_height)?);
    if let Some(name) = &row.image_name {
        check_media_name(name)?;
    }
    let picture = row.image_name.map(|name| Picture { name, width, height, larger });
    let article = NewsArticle {
        text: Text {
            title: row.title,
            summary: row.summary,
            author: row.author,
            sample: row.sample,
            reading_minutes: number(row.reading_minutes)?,
            ..Text::default()
        },
        market: market(&row.market)?,
        image: picture.map(|picture| Image { picture, alt: row.image_alt }),
    };
    let entry = Entry {
        id: number(row.id)?,
        locale: Some(locale(&row.locale)?),
        slug: String::new(),
        published_at: number(row.published_at)?,
        body_html: row.body_html,
        data: EntryData::News(article),
    };
    Ok(StoredRow { entry, updated_at: number(row.updated_at)? })
}

fn article_row(
    entry: &Entry,
    article: &NewsArticle,
    now: u32,
) -> Result<article_text::ActiveModel> {
    let (text, image) = (&article.text, article.image.as_ref());
    let picture = image.map(|image| &image.picture);
    let row = article_text::Model {
        id: key(entry.id)?,
        locale: locale_name(entry.locale).to_owned(),
        sample: text.sample,
        market: article.market.as_str().to_owned(),
        title: text.title.clone(),
        summary: text.summary.clone(),
        body_html: entry.body_html.clone(),
        published_at: entry.published_at.into(),
        updated_at: now.into(),
        author: text.author.clone(),
        image_name: picture.map(|picture| picture.name.clone()),
        image_alt: image.map(|image| image.alt.clone()).unwrap_or_default(),
        image_width: picture.map_or(0, |picture| picture.width.into()),
        image_height: picture.map_or(0, |picture| picture.height.into()),
        image_x2: picture.and_then(|picture| picture.larger.x2.clone()),
        image_x3: picture.and_then(|picture| picture.larger.x3.clone()),
        reading_minutes: text.reading_minutes.into(),
    };
    Ok(row.into_active_model().reset_all())
}

fn tab(row: news_tab::Model) -> Result<StoredRow> {
    let tab = NewsTab {
        name: Bilingual { en: row.name, sa: row.name_sa },
        market: market(&row.market)?,
        position: number(row.position)?,
    };
    let entry = Entry {
        id: number(row.id)?,
        locale: None,
        slug: String::new(),
        published_at: 0,
        body_html: String::new(),
        data: EntryData::NewsTab(tab),
    };
    Ok(StoredRow { entry, updated_at: 0 })
}

fn tab_row(entry: &Entry, tab: &NewsTab) -> Result<news_tab::ActiveModel> {
    let row = news_tab::Model {
        id: key(entry.id)?,
        name: tab.name.en.clone(),
        name_sa: tab.name.sa.clone(),
        market: tab.market.as_str().to_owned(),
        position: tab.position.into(),
    };
    Ok(row.into_active_model().reset_all())
}

fn stored(row: entry::Model) -> Result<StoredRow> {
    let entry = Entry {
        id: number(row.id)?,
        locale: match row.locale.as_str() {
            "" => None,
            name => Some(locale(name)?),
        },
        slug: row.slug,
        published_at: number(row.published_at)?,
        body_html: row.body_html,
        data: serde_json::from_str(&row.data).map_err(Error::internal)?,
    };
    Ok(StoredRow { entry, updated_at: number(row.updated_at)? })
}

pub(crate) fn entry_model(entry: &Entry, now: u32) -> Result<entry::Model> {
    Ok(entry::Model {
        kind: entry.kind().collection().to_owned(),
        id: key(entry.id)?,
        locale: locale_name(entry.locale).to_owned(),
        slug: entry.slug.clone(),
        published_at: entry.published_at.into(),
        updated_at: now.into(),
        data: serde_json::to_string(&entry.data).map_err(Error::internal)?,
        body_html: entry.body_html.clone(),
    })
}

/// Converts a domain number to its column type.
///
/// # Errors
/// `NotFound` for a number that exceeds the column's range.
pub(crate) fn key(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::of(ErrorCode::NotFound))
}

/// Converts a stored number to its domain type.
pub(crate) fn number<N: TryFrom<i64>>(number: i64) -> Result<N> {
    N::try_from(number).map_err(|_| unknown("number", &number.to_string()))
}

pub(crate) fn locale(name: &str) -> Result<Locale> {
    Locale::from_name(name).ok_or_else(|| unknown("locale", name))
}

/// Checks the name of a stored picture.
///
/// # Errors
/// `Internal` for an invalid name.
pub(crate) fn check_media_name(name: &str) -> Result<()> {
    MediaName::parse(name).map(drop).ok_or_else(|| unknown("media name", name))
}

fn market(name: &str) -> Result<Market> {
    Market::from_name(name).ok_or_else(|| unknown("market", name))
}

/// Error for a stored value that no release has written.
fn unknown(what: &str, value: &str) -> Error {
    Error::internal(format!("stored {what} {value:?} is not known"))
}
