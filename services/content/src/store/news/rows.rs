//! Rows made into the domain's types and back.
use sahm_chassis::{Error, ErrorCode, Result};
use sea_orm::{ActiveModelTrait, DerivePartialModel, IntoActiveModel};

use crate::domain::{Image, Larger, Locale, Market, MediaName, NewsText, Summary, Tab};
use crate::store::entities::{article_text as text, news_tab};

#[derive(DerivePartialModel)]
#[sea_orm(entity = "text::Entity")]
pub(crate) struct SummaryRow {
    pub(crate) id: i64,
    pub(crate) locale: String,
    pub(crate) sample: bool,
    pub(crate) market: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) published_at: i64,
    pub(crate) image_name: Option<String>,
    pub(crate) image_alt: String,
    pub(crate) image_width: i64,
    pub(crate) image_height: i64,
    pub(crate) image_x2: Option<String>,
    pub(crate) image_x3: Option<String>,
    pub(crate) reading_minutes: i64,
}

impl SummaryRow {
    pub(crate) fn summary(self, read_count: u64) -> Result<Summary> {
        Ok(Summary {
            id: number(self.id)?,
            locale: locale(&self.locale)?,
            title: self.title,
            summary: self.summary,
            market: market(&self.market)?,
            published_at: number(self.published_at)?,
            image: image(
                self.image_name,
                self.image_alt,
                (self.image_width, self.image_height),
                Larger { x2: self.image_x2, x3: self.image_x3 },
            )?,
            read_count,
            sample: self.sample,
            reading_minutes: number(self.reading_minutes)?,
        })
    }
}

pub(crate) fn news_text(row: text::Model) -> Result<NewsText> {
    Ok(NewsText {
        id: number(row.id)?,
        locale: locale(&row.locale)?,
        sample: row.sample,
        market: market(&row.market)?,
        title: row.title,
        summary: row.summary,
        body_html: row.body_html,
        published_at: number(row.published_at)?,
        author: row.author,
        image: image(
            row.image_name,
            row.image_alt,
            (row.image_width, row.image_height),
            Larger { x2: row.image_x2, x3: row.image_x3 },
        )?,
        reading_minutes: number(row.reading_minutes)?,
    })
}

pub(crate) fn text_row(text: &NewsText, now: u32) -> Result<text::ActiveModel> {
    let image = text.image.as_ref();
    let row = text::Model {
        id: key(text.id)?,
        locale: text.locale.as_str().to_owned(),
        sample: text.sample,
        market: text.market.as_str().to_owned(),
        title: text.title.clone(),
        summary: text.summary.clone(),
        body_html: text.body_html.clone(),
        published_at: text.published_at.into(),
        updated_at: now.into(),
        author: text.author.clone(),
        image_name: image.map(|image| image.name.to_string()),
        image_alt: image.map(|image| image.alt.clone()).unwrap_or_default(),
        image_width: image.map_or(0, |image| image.width.into()),
        image_height: image.map_or(0, |image| image.height.into()),
        image_x2: image.and_then(|image| image.larger.x2.clone()),
        image_x3: image.and_then(|image| image.larger.x3.clone()),
        reading_minutes: text.reading_minutes.into(),
    };
    Ok(row.into_active_model().reset_all())
}

pub(crate) fn tab(row: news_tab::Model) -> Result<Tab> {
    Ok(Tab {
        id: number(row.id)?,
        name: row.name,
        name_sa: row.name_sa,
        market: market(&row.market)?,
        position: number(row.position)?,
    })
}

pub(crate) fn tab_row(tab: &Tab) -> Result<news_tab::ActiveModel> {
    let row = news_tab::Model {
        id: key(tab.id)?,
        name: tab.name.clone(),
        name_sa: tab.name_sa.clone(),
        market: tab.market.as_str().to_owned(),
        position: tab.position.into(),
    };
    Ok(row.into_active_model().reset_all())
}

/// A number of the domain as it is stored.
///
/// # Errors
/// `NotFound` for one that no row can have.
pub(crate) fn key(number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::of(ErrorCode::NotFound))
}

/// A stored number as the domain has it.
pub(crate) fn number<N: TryFrom<i64>>(number: i64) -> Result<N> {
    N::try_from(number).map_err(|_| unknown("number", &number.to_string()))
}

pub(crate) fn locale(name: &str) -> Result<Locale> {
    Locale::from_name(name).ok_or_else(|| unknown("locale", name))
}

pub(crate) fn market(name: &str) -> Result<Market> {
    Market::from_name(name).ok_or_else(|| unknown("market", name))
}

fn image(
    name: Option<String>,
    alt: String,
    (width, height): (i64, i64),
    larger: Larger,
) -> Result<Option<Image>> {
    let Some(name) = name else { return Ok(None) };
    let name = MediaName::parse(&name).ok_or_else(|| unknown("media name", &name))?;
    Ok(Some(Image { name, alt, width: number(width)?, height: number(height)?, larger }))
}

/// The store holds what no version of this service wrote.
fn unknown(what: &str, value: &str) -> Error {
    Error::internal(format!("stored {what} {value:?} is not known"))
}
