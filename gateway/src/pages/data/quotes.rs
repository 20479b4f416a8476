//! Prices and announcements. Quotes are not content: they have no tags (docs/page-cache.md).

use sahm_chassis::error::{ErrorCode, Result};
use sahm_proto::{
    page::v1::AnnouncementLink,
    quotes::v1::{
        Announcement, BatchGetDaySeriesRequest, BatchGetQuotesRequest, CorporateEvent, DailyClose,
        DaySeries, GetAnnouncementRequest, IndexQuote, ListAnnouncementsRequest,
        ListCorporateEventsRequest, ListDailyClosesRequest, ListIndicesRequest,
        ListIndicesResponse, ListMoversRequest, MarketMovers, Quote,
    },
};

use super::{ItemKind, LoadContext, LoadError, NO_TAGS, never};

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
        let request = BatchGetQuotesRequest { security_codes };
        let mut quotes = self.data.services.quotes()?;
        Ok(self.read(NO_TAGS, never, quotes.batch_get_quotes(request)).await?.quotes)
    }

    /// The last values of the indices; they expire when a market opens or closes.
    pub(crate) async fn indices(&self) -> Result<Vec<IndexQuote>> {
        let mut markets = self.data.services.markets()?;
        let next_change_at = |response: &ListIndicesResponse| response.next_change_at;
        let response = markets.list_indices(ListIndicesRequest {});
        Ok(self.read(NO_TAGS, next_change_at, response).await?.items)
    }

    /// The `size` securities of each market that rose and fell most.
    pub(crate) async fn movers(&self, size: u32) -> Result<Vec<MarketMovers>> {
        let request = ListMoversRequest { market: String::new(), size };
        let mut markets = self.data.services.markets()?;
        Ok(self.read(NO_TAGS, never, markets.list_movers(request)).await?.items)
    }

    /// The day series of securities and indices, by comma-separated codes.
    pub(crate) async fn day_series(&self, security_codes: String) -> Result<Vec<DaySeries>> {
        let request = BatchGetDaySeriesRequest { security_codes };
        let mut markets = self.data.services.markets()?;
        Ok(self.read(NO_TAGS, never, markets.batch_get_day_series(request)).await?.items)
    }

    /// The last daily closes of the markets that are closed now.
    pub(crate) async fn daily_closes(&self) -> Result<Vec<DailyClose>> {
        let request = ListDailyClosesRequest { market: String::new() };
        let mut markets = self.data.services.markets()?;
        Ok(self.read(NO_TAGS, never, markets.list_daily_closes(request)).await?.items)
    }

    /// The next `size` corporate events of securities, by comma-separated codes.
    pub(crate) async fn corporate_events(
        &self,
        security_codes: String,
        size: u32,
    ) -> Result<Vec<CorporateEvent>> {
        let request = ListCorporateEventsRequest {
            security_codes,
            size,
            ..ListCorporateEventsRequest::default()
        };
        let mut markets = self.data.services.markets()?;
        Ok(self.read(NO_TAGS, never, markets.list_corporate_events(request)).await?.items)
    }

    /// An announcement of an exchange.
    pub(crate) async fn announcement(&self, id: u64) -> Result<Announcement, LoadError> {
        let request = GetAnnouncementRequest { id, locale: self.locale_name() };
        let mut announcements = self.data.services.announcements()?;
        match self.read(NO_TAGS, never, announcements.get_announcement(request)).await {
            Err(error) if error.code() == ErrorCode::ArticleNotFound => None,
            response => response?.announcement,
        }
        .ok_or(LoadError::Missing(ItemKind::Notice))
    }

    /// Links to the newest announcements of a market (`us`, `saudi`, `all`).
    pub(crate) async fn announcements(&self, market: &str) -> Result<Vec<AnnouncementLink>> {
        let request = ListAnnouncementsRequest {
            locale: self.locale_name(),
            size: SEARCHED_ANNOUNCEMENTS,
            cursor: String::new(),
        };
        let mut announcements = self.data.services.announcements()?;
        let newest = self.read(NO_TAGS, never, announcements.list_announcements(request)).await?;
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
