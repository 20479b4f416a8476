//! Prices and announcements. Quotes are not content: they have no tags (docs/page-cache.md).

use sahm_chassis::error::Result;
use sahm_proto::{
    page::v1::AnnouncementLink,
    quotes::v1::{Announcement, BatchGetQuotesRequest, ListAnnouncementsRequest, Quote},
};

use super::{LoadContext, NO_TAGS};

/// Number of announcements that other pages list.
const LISTED_ANNOUNCEMENTS: usize = 4;

/// Number of the newest announcements to search for those of a market, the service's maximum.
const SEARCHED_ANNOUNCEMENTS: u32 = 50;

impl LoadContext<'_> {
    /// Quotes of securities, by comma-separated codes; makes no call without codes.
    pub(crate) async fn quotes(&self, security_codes: String) -> Result<Vec<Quote>> {
        if security_codes.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.read(NO_TAGS, BatchGetQuotesRequest { security_codes }).await?.quotes)
    }

    /// Links to the newest announcements of a market (`us`, `saudi`, `all`).
    pub(crate) async fn announcements(&self, market: &str) -> Result<Vec<AnnouncementLink>> {
        let (locale, cursor) = (self.locale_name(), String::new());
        let request = ListAnnouncementsRequest { locale, size: SEARCHED_ANNOUNCEMENTS, cursor };
        let newest = self.read(NO_TAGS, request).await?;
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
        Ok(of_market.take(LISTED_ANNOUNCEMENTS).map(link).collect())
    }
}
