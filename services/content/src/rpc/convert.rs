//! The domain's types as they go over the wire.
use sahm_proto::content::v1 as wire;

use crate::domain::{Article, ArticleRef, Image, Locale, Summary, Tab};

pub(super) fn tab(tab: Tab) -> wire::NewsTab {
    wire::NewsTab {
        id: tab.id,
        name_en: tab.name.clone(),
        name: tab.name,
        name_sa: tab.name_sa,
        market_type: tab.market.as_str().to_owned(),
    }
}

pub(super) fn summary(summary: Summary) -> wire::ArticleSummary {
    wire::ArticleSummary {
        id: summary.id,
        locale: summary.locale.as_str().to_owned(),
        title: summary.title,
        summary: summary.summary,
        market: summary.market.as_str().to_owned(),
        published_at: summary.published_at,
        image: summary.image.map(image),
        read_count: summary.read_count,
        sample: summary.sample,
        reading_minutes: summary.reading_minutes,
    }
}

pub(super) fn article(article: Article) -> wire::Article {
    let text = article.text;
    wire::Article {
        id: text.id,
        locale: text.locale.as_str().to_owned(),
        title: text.title,
        summary: text.summary,
        body_html: text.body_html,
        market: text.market.as_str().to_owned(),
        published_at: text.published_at,
        updated_at: article.updated_at,
        author: text.author,
        image: text.image.map(image),
        read_count: article.read_count,
        sample: text.sample,
        available_locales: names(&article.available_locales),
        reading_minutes: text.reading_minutes,
        stocks: Vec::new(),
        like_count: 0,
        sign: String::new(),
    }
}

pub(super) fn article_ref(article: ArticleRef) -> wire::ArticleRef {
    wire::ArticleRef {
        id: article.id,
        available_locales: names(&article.available_locales),
        updated_at: article.updated_at,
    }
}

fn image(image: Image) -> wire::Image {
    wire::Image {
        path: image.name.path(),
        alt: image.alt,
        width: image.width,
        height: image.height,
    }
}

fn names(locales: &[Locale]) -> Vec<String> {
    locales.iter().map(|locale| locale.as_str().to_owned()).collect()
}
