//! Drafts made into rows and back: a news article's head is JSON here, as an entry's is.
use sahm_chassis::{Error, Result};
use sea_orm::{ActiveModelTrait, IntoActiveModel};
use serde::{Deserialize, Serialize};

use crate::domain::{
    Draft, DraftType, Entry, EntryKind, Image, Larger, Market, MediaName, NewsText,
};
use crate::store::{
    entities::draft,
    news::rows::{key, locale, number},
};

/// What a news article's row holds beside its text.
#[derive(Serialize, Deserialize)]
struct NewsHead {
    sample: bool,
    market: Market,
    title: String,
    summary: String,
    author: String,
    image: Option<StoredImage>,
    reading_minutes: u32,
}

#[derive(Serialize, Deserialize)]
struct StoredImage {
    name: String,
    alt: String,
    width: u32,
    height: u32,
    #[serde(default, flatten)]
    larger: Larger,
}

pub(crate) fn row(
    draft_type: &DraftType,
    draft: &Draft,
    position: usize,
    now: u32,
) -> Result<draft::ActiveModel> {
    let (slug, published_at, data, body_html) = match draft {
        Draft::News(text) => (
            String::new(),
            text.published_at,
            serde_json::to_string(&news_head(text)),
            text.body_html.clone(),
        ),
        Draft::Entry(entry) => (
            entry.slug.clone(),
            entry.published_at,
            serde_json::to_string(&entry.data),
            entry.body_html.clone(),
        ),
    };
    let name = draft.name();
    let row = draft::Model {
        draft_type: draft_type.as_str().to_owned(),
        kind: name.collection().to_owned(),
        id: key(name.id())?,
        locale: draft.locale().as_str().to_owned(),
        position: i64::try_from(position).map_err(Error::internal)?,
        slug,
        published_at: published_at.into(),
        imported_at: now.into(),
        data: data.map_err(Error::internal)?,
        body_html,
    };
    Ok(row.into_active_model().reset_all())
}

pub(crate) fn of_row(row: draft::Model) -> Result<Draft> {
    let (id, locale) = (number(row.id)?, locale(&row.locale)?);
    let published_at = number(row.published_at)?;
    if row.kind == EntryKind::News.as_str() {
        let head: NewsHead = serde_json::from_str(&row.data).map_err(Error::internal)?;
        return Ok(Draft::News(Box::new(NewsText {
            id,
            locale,
            sample: head.sample,
            market: head.market,
            title: head.title,
            summary: head.summary,
            body_html: row.body_html,
            published_at,
            author: head.author,
            image: head.image.map(image).transpose()?,
            reading_minutes: head.reading_minutes,
        })));
    }
    let entry = Entry {
        id,
        locale: Some(locale),
        slug: row.slug,
        published_at,
        body_html: row.body_html,
        data: serde_json::from_str(&row.data).map_err(Error::internal)?,
    };
    Draft::of_entry(entry).ok_or_else(|| Error::internal("a stored draft has no text"))
}

fn news_head(text: &NewsText) -> NewsHead {
    NewsHead {
        sample: text.sample,
        market: text.market,
        title: text.title.clone(),
        summary: text.summary.clone(),
        author: text.author.clone(),
        image: text.image.as_ref().map(|image| StoredImage {
            name: image.name.to_string(),
            alt: image.alt.clone(),
            width: image.width,
            height: image.height,
            larger: image.larger.clone(),
        }),
        reading_minutes: text.reading_minutes,
    }
}

fn image(stored: StoredImage) -> Result<Image> {
    let StoredImage { name, alt, width, height, larger } = stored;
    let name = MediaName::parse(&name)
        .ok_or_else(|| Error::internal(format!("a stored draft shows {name:?}")))?;
    Ok(Image { name, alt, width, height, larger })
}
