//! Conversion of domain types to wire messages.
use sahm_proto::content::v1 as wire;

use super::entries::FromEntry;
use crate::{
    domain::{
        Bilingual, Entry, EntryData, Image, Locale, NewsArticle, Picture, Playback, Stock,
        StockNames, isolate_numbers, isolate_numbers_in_html,
    },
    store::{Counts, StoredEntry},
};

impl FromEntry for wire::NewsTab {
    fn from_entry(entry: &Entry) -> Option<Self> {
        let EntryData::NewsTab(tab) = &entry.data else { return None };
        Some(Self {
            id: entry.id,
            name: tab.name.en.clone(),
            name_en: tab.name.en.clone(),
            name_sa: arabic(&tab.name),
            market_type: tab.market.as_str().to_owned(),
        })
    }
}

pub(super) fn summary(
    entry: &Entry,
    article: &NewsArticle,
    counts: Counts,
) -> wire::ArticleSummary {
    let text = &article.text;
    wire::ArticleSummary {
        id: entry.id,
        locale: locale(entry),
        title: display_text(&text.title, entry),
        summary: display_text(&text.summary, entry),
        market: article.market.as_str().to_owned(),
        published_at: entry.published_at,
        image: article.image.as_ref().map(image),
        read_count: counts.reads,
        sample: text.sample,
        reading_minutes: text.reading_minutes,
    }
}

/// `sign` is the article's signature for the locale of its text.
pub(super) fn article(
    found: &StoredEntry,
    article: &NewsArticle,
    counts: Counts,
    stock_names: &StockNames,
    sign: String,
) -> wire::Article {
    let (text, entry) = (&article.text, &found.entry);
    let (body_html, mentioned) = stock_names.link(&entry.body_html);
    wire::Article {
        id: entry.id,
        locale: locale(entry),
        title: display_text(&text.title, entry),
        summary: display_text(&text.summary, entry),
        body_html: isolate_numbers_in_html(&body_html, entry.locale.unwrap_or(Locale::EnUs)),
        market: article.market.as_str().to_owned(),
        published_at: entry.published_at,
        updated_at: found.updated_at,
        author: text.author.clone(),
        image: article.image.as_ref().map(image),
        read_count: counts.reads,
        sample: text.sample,
        available_locales: names(&found.available_locales),
        reading_minutes: text.reading_minutes,
        stocks: stocks(&mentioned),
        like_count: counts.likes,
        sign,
    }
}

pub(super) fn article_ref(found: StoredEntry) -> wire::ArticleRef {
    wire::ArticleRef {
        id: found.entry.id,
        available_locales: names(&found.available_locales),
        updated_at: found.updated_at,
    }
}

pub(super) fn stocks(stocks: &[&Stock]) -> Vec<wire::StockMention> {
    let mention = |stock: &&Stock| wire::StockMention {
        id: stock.code.clone(),
        stock_name: stock.name.en.clone(),
        sa_stock_name: stock.name.sa.clone(),
        stock_code: stock.code.clone(),
        data_type: stock.data_type,
    };
    stocks.iter().map(mention).collect()
}

pub(super) fn playback(playback: &Playback) -> wire::Playback {
    let sources = playback.sources.iter().map(|source| wire::VideoSource {
        address: source.address.clone(),
        content_type: source.content_type.clone(),
    });
    let captions = playback.captions.iter().map(|caption| wire::Caption {
        locale: caption.locale.clone(),
        path: media_path(&caption.name),
    });
    wire::Playback {
        sources: sources.collect(),
        poster: playback.poster.as_ref().map(picture),
        captions: captions.collect(),
        duration: playback.duration,
    }
}

fn media_path(name: &str) -> String {
    format!("/media/{name}")
}

/// A picture without alternative text.
pub(super) fn picture(picture: &Picture) -> wire::Image {
    wire::Image {
        path: media_path(&picture.name),
        alt: String::new(),
        width: picture.width,
        height: picture.height,
        path_2x: picture.larger.x2.as_deref().map(media_path),
        path_3x: picture.larger.x3.as_deref().map(media_path),
    }
}

/// A plain text of an entry as it is displayed.
pub(super) fn display_text(text: &str, entry: &Entry) -> String {
    isolate_numbers(text, entry.locale.unwrap_or(Locale::EnUs))
}

/// The HTML of an entry as it is displayed.
pub(super) fn display_html(entry: &Entry) -> String {
    isolate_numbers_in_html(&entry.body_html, entry.locale.unwrap_or(Locale::EnUs))
}

/// The locale of an entry's text; empty for bilingual entries.
pub(super) fn locale(entry: &Entry) -> String {
    entry.locale.map_or("", Locale::as_str).to_owned()
}

pub(super) fn arabic(text: &Bilingual) -> String {
    isolate_numbers(&text.sa, Locale::ArSa)
}

/// The text in a locale, with English as fallback for missing Arabic.
pub(super) fn in_locale(text: &Bilingual, locale: Locale) -> String {
    match locale {
        Locale::ArSa if !text.sa.is_empty() => arabic(text),
        _ => isolate_numbers(&text.en, Locale::EnUs),
    }
}

fn image(image: &Image) -> wire::Image {
    wire::Image { alt: image.alt.clone(), ..picture(&image.picture) }
}

pub(super) fn names(locales: &[Locale]) -> Vec<String> {
    locales.iter().map(|locale| locale.as_str().to_owned()).collect()
}
