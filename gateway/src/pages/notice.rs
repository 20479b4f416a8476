//! `/news/-notice/{id}`: an announcement of an exchange.

use sahm_proto::{page::v1::NoticePage, quotes::v1::GetAnnouncementRequest};

use super::{
    ItemKind, LoadContext, LoadError, PageHead, data::NO_TAGS, json_ld::ArticleData,
    links::localize_links,
};
use crate::canonical_paths;

/// Minimum length of a description; shorter ones are prefixed with the title.
const MIN_DESCRIPTION_CHARS: usize = 50;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<NoticePage, LoadError> {
    let id = cx.required_id("id")?;
    let request = GetAnnouncementRequest { id, locale: cx.locale_name() };
    let response = cx.find(NO_TAGS, request).await?;
    let mut announcement = response.announcement.ok_or(LoadError::Missing(ItemKind::Notice))?;
    announcement.body_html = localize_links(&announcement.body_html, cx.locale());
    let (quotes, announcements) = tokio::join!(
        cx.quotes(announcement.security_codes.join(",")),
        cx.announcements(&announcement.market),
    );
    let description = match announcement.summary.chars().count() {
        MIN_DESCRIPTION_CHARS.. => announcement.summary.clone(),
        _ => format!("{}: {}", announcement.title, announcement.summary),
    };
    let head = PageHead {
        title: &announcement.title,
        description: &description,
        locales: &announcement.available_locales,
        og_type: "article",
        json_ld: vec![cx.article_json_ld(&ArticleData {
            kind: "NewsArticle",
            title: &announcement.title,
            summary: &announcement.summary,
            locale: &announcement.locale,
            published_at: announcement.published_at,
            updated_at: 0,
            author: &announcement.source,
            path: &canonical_paths::announcement(id),
        })],
        ..PageHead::default()
    };
    let quotes = cx.optional("quotes", quotes);
    let mut announcements = cx.optional("announcements", announcements).unwrap_or_default();
    announcements.retain(|other| other.id != id);
    Ok(NoticePage {
        frame: cx.frame(head),
        other_language: announcement.locale != cx.locale().as_str(),
        announcement: Some(announcement),
        quotes_unavailable: quotes.is_none(),
        quotes: quotes.unwrap_or_default(),
        announcements,
    })
}
