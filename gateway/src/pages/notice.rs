//! `/news/-notice/{id}`: an announcement of an exchange.

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    page::v1::{AnnouncementLink, NoticePage},
    quotes::v1::{
        Announcement, BatchGetQuotesRequest, GetAnnouncementRequest, ListAnnouncementsRequest,
    },
};

use super::{
    Document, Found, Loaded, Loaders, PageRequest, frame::PageHead, json_ld::ArticleData,
    links::localised, parameters,
};
use crate::{routes::Match, services::reading, visitor::Locale};

/// A shorter description says too little in a list of search results: the title goes before it.
const MIN_DESCRIPTION_CHARS: usize = 50;

/// Announcements in the list of another page.
const LINKED: usize = 4;

/// Of the newest announcements so many are looked through for those of a market: the most that a
/// call gives.
const NEWEST: u32 = 50;

impl Loaders {
    /// Links to the newest announcements of a market (`us`, `saudi`, `all`).
    pub(super) async fn announcements(
        &self,
        locale: Locale,
        market: &str,
    ) -> Result<Vec<AnnouncementLink>, Error> {
        let locale = locale.as_str().to_owned();
        let request = ListAnnouncementsRequest { locale, size: NEWEST, cursor: String::new() };
        let newest = reading(self.services.announcements()?.list_announcements(request)).await?;
        let of_market = newest.items.into_iter().filter(|announcement| {
            let of_one = matches!(announcement.market.as_str(), "us" | "saudi");
            market == "all" || !of_one || announcement.market == market
        });
        let link = |announcement: Announcement| AnnouncementLink {
            id: announcement.id,
            title: announcement.title,
            published_at: announcement.published_at,
            source: announcement.source,
        };
        Ok(of_market.take(LINKED).map(link).collect())
    }

    pub(super) async fn notice(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let Ok(Some(id)) = parameters::id(matched, "id") else {
            return Ok(self.not_found(request, None));
        };
        let locale = request.visitor.locale.as_str();
        let asked = GetAnnouncementRequest { id, locale: locale.to_owned() };
        let answer = reading(self.services.announcements()?.get_announcement(asked)).await;
        let announcement = match answer {
            Err(error) if error.code() == ErrorCode::ArticleNotFound => None,
            answer => answer?.announcement,
        };
        let Some(mut announcement) = announcement else {
            return Ok(self.not_found(request, Some(("notice", Vec::new()))));
        };
        announcement.body_html = localised(&announcement.body_html, request.visitor.locale);
        let mut found = Found::default();
        let quotes = async {
            if announcement.security_codes.is_empty() {
                return Ok(Vec::new());
            }
            let security_codes = announcement.security_codes.join(",");
            let request = BatchGetQuotesRequest { security_codes };
            Ok(reading(self.services.quotes()?.batch_get_quotes(request)).await?.quotes)
        };
        let description = match announcement.summary.chars().count() {
            MIN_DESCRIPTION_CHARS.. => announcement.summary.clone(),
            _ => format!("{}: {}", announcement.title, announcement.summary),
        };
        let head = PageHead {
            title: &announcement.title,
            description: &description,
            locales: &announcement.available_locales,
            og_type: "article",
            json_ld: vec![self.article_json_ld(&ArticleData {
                kind: "NewsArticle",
                title: &announcement.title,
                summary: &announcement.summary,
                locale: &announcement.locale,
                published_at: announcement.published_at,
                updated_at: 0,
                author: &announcement.source,
                path: &format!("/news/-notice/{id}"),
            })],
            ..PageHead::default()
        };
        let quotes = found.optional("quotes", quotes.await);
        let document = NoticePage {
            frame: Some(self.frame_of_page(request, matched.page, head)),
            other_language: announcement.locale != locale,
            announcement: Some(announcement.clone()),
            quotes_unavailable: quotes.is_none(),
            quotes: quotes.unwrap_or_default(),
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::Notice(Box::new(document))))
    }
}
