//! The domain's types as they go over the wire.
use sahm_proto::content::v1 as wire;

use crate::domain::{
    Article, ArticleRef, Bilingual, Entry, Image, Locale, Picture, Playback, Stock, StockNames,
    Summary, Tab, marked, marked_html,
};

pub(super) fn tab(tab: Tab) -> wire::NewsTab {
    wire::NewsTab {
        id: tab.id,
        name_en: tab.name.clone(),
        name: tab.name,
        name_sa: marked(&tab.name_sa, Locale::ArSa),
        market_type: tab.market.as_str().to_owned(),
    }
}

pub(super) fn summary(summary: Summary) -> wire::ArticleSummary {
    wire::ArticleSummary {
        id: summary.id,
        locale: summary.locale.as_str().to_owned(),
        title: marked(&summary.title, summary.locale),
        summary: marked(&summary.summary, summary.locale),
        market: summary.market.as_str().to_owned(),
        published_at: summary.published_at,
        image: summary.image.map(image),
        read_count: summary.read_count,
        sample: summary.sample,
        reading_minutes: summary.reading_minutes,
    }
}

/// `sign` is that of the article in the language of its text.
pub(super) fn article(article: Article, stock_names: &StockNames, sign: String) -> wire::Article {
    let text = article.text;
    let (body_html, mentioned) = stock_names.link(&text.body_html);
    wire::Article {
        id: text.id,
        locale: text.locale.as_str().to_owned(),
        title: marked(&text.title, text.locale),
        summary: marked(&text.summary, text.locale),
        body_html: marked_html(&body_html, text.locale),
        market: text.market.as_str().to_owned(),
        published_at: text.published_at,
        updated_at: article.updated_at,
        author: text.author,
        image: text.image.map(image),
        read_count: article.read_count,
        sample: text.sample,
        available_locales: names(&article.available_locales),
        reading_minutes: text.reading_minutes,
        stocks: stocks(&mentioned),
        like_count: article.like_count,
        sign,
    }
}

pub(super) fn article_ref(article: ArticleRef) -> wire::ArticleRef {
    wire::ArticleRef {
        id: article.id,
        available_locales: names(&article.available_locales),
        updated_at: article.updated_at,
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

/// A picture without words.
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

/// A plain text of an entry as its readers see it.
pub(super) fn shown(text: &str, entry: &Entry) -> String {
    marked(text, entry.locale.unwrap_or(Locale::EnUs))
}

/// The HTML of an entry as its readers see it.
pub(super) fn shown_body(entry: &Entry) -> String {
    marked_html(&entry.body_html, entry.locale.unwrap_or(Locale::EnUs))
}

/// The language of an entry's text; empty for what is bilingual.
pub(super) fn locale(entry: &Entry) -> String {
    entry.locale.map_or("", Locale::as_str).to_owned()
}

pub(super) fn arabic(text: &Bilingual) -> String {
    marked(&text.sa, Locale::ArSa)
}

/// A text in a language, in English where it has no Arabic.
pub(super) fn in_locale(text: &Bilingual, locale: Locale) -> String {
    match locale {
        Locale::ArSa if !text.sa.is_empty() => arabic(text),
        _ => text.en.clone(),
    }
}

fn image(image: Image) -> wire::Image {
    wire::Image {
        path: image.name.path(),
        alt: image.alt,
        width: image.width,
        height: image.height,
        path_2x: image.larger.x2.as_deref().map(media_path),
        path_3x: image.larger.x3.as_deref().map(media_path),
    }
}

pub(super) fn names(locales: &[Locale]) -> Vec<String> {
    locales.iter().map(|locale| locale.as_str().to_owned()).collect()
}
