//! `/news/-notice/{id}`: an announcement of an exchange.

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    page::v1::NoticePage,
    quotes::v1::{BatchGetQuotesRequest, GetAnnouncementRequest},
};

use super::{
    Document, Found, Loaded, Loaders, PageRequest, frame::PageHead, json_ld::ArticleData,
    links::localised, parameters,
};
use crate::{routes::Match, services::reading};

impl Loaders {
    pub(super) async fn notice(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let Ok(Some(id)) = parameters::id(matched, "id") else {
            return Ok(self.not_found(request, None).await);
        };
        let locale = request.visitor.locale.as_str();
        let asked = GetAnnouncementRequest { id, locale: locale.to_owned() };
        let answer = reading(self.services.announcements()?.get_announcement(asked)).await;
        let announcement = match answer {
            Err(error) if error.code() == ErrorCode::ArticleNotFound => None,
            answer => answer?.announcement,
        };
        let Some(mut announcement) = announcement else {
            return Ok(self.not_found(request, Some(("notice", Vec::new()))).await);
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
        let head = PageHead {
            title: &announcement.title,
            description: &announcement.summary,
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
        let mut frame_found = Found::default();
        let (frame, quotes) =
            tokio::join!(self.frame_of_page(request, matched.page, head, &mut frame_found), quotes);
        found.merge(frame_found);
        let quotes = found.optional("quotes", quotes);
        let document = NoticePage {
            frame: Some(frame),
            other_language: announcement.locale != locale,
            announcement: Some(announcement.clone()),
            quotes_unavailable: quotes.is_none(),
            quotes: quotes.unwrap_or_default(),
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::Notice(Box::new(document))))
    }
}
