//! `/`

use sahm_proto::{
    page::v1::HomePage,
    quotes::v1::{
        BatchGetDaySeriesRequest, ListCorporateEventsRequest, ListDailyClosesRequest,
        ListIndicesRequest, ListMoversRequest,
    },
};
use serde_json::json;

use super::{LoadContext, LoadError, PageHead, data::NO_TAGS};

/// Number of articles: the lead and three more.
const ARTICLES_SIZE: u32 = 4;

/// Well-known securities of both markets for the watch list.
const WATCH_LIST: &str = "2222,1120,2010,7010,AAPL,NVDA,MSFT,SPY";

/// Indices whose day series are shown.
const INDICES: &str = "TASI,NOMU,SPX,IXIC";

/// Large companies of both markets whose results and dividends are listed.
const EVENT_COMPANIES: &str =
    "2222,1120,2010,7010,1211,2082,1180,2280,AAPL,MSFT,NVDA,AMZN,GOOGL,META,JPM,KO";

/// Number of corporate events.
const EVENTS_SIZE: u32 = 8;

/// Number of gainers, and of losers, per market.
const MOVERS_SIZE: u32 = 3;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<HomePage, LoadError> {
    let web_site = json!({
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": cx.loaders.site.name(cx.locale()),
        "url": format!("{}{}", cx.loaders.data.public_url, cx.locale().prefix()),
        "inLanguage": cx.locale().tag(),
    });
    let head = PageHead { json_ld: vec![web_site.to_string()], ..PageHead::default() };
    let series = format!("{WATCH_LIST},{INDICES}");
    let events = ListCorporateEventsRequest {
        security_codes: EVENT_COMPANIES.to_owned(),
        size: EVENTS_SIZE,
        ..Default::default()
    };
    let (articles, fees, quotes, indices, movers, series, daily_closes, events) = tokio::join!(
        cx.articles("all", 0, ARTICLES_SIZE, String::new()),
        cx.fee_schedule(),
        cx.quotes(WATCH_LIST.to_owned()),
        // They expire when a market opens or closes.
        cx.read(NO_TAGS, ListIndicesRequest {}),
        cx.read(NO_TAGS, ListMoversRequest { market: String::new(), size: MOVERS_SIZE }),
        cx.read(NO_TAGS, BatchGetDaySeriesRequest { security_codes: series }),
        cx.read(NO_TAGS, ListDailyClosesRequest::default()),
        cx.read(NO_TAGS, events),
    );
    let articles = cx.optional("news", articles);
    let quotes = cx.optional("quotes", quotes);
    Ok(HomePage {
        frame: cx.frame(head),
        news_unavailable: articles.is_none(),
        articles: articles.map(|list| list.items).unwrap_or_default(),
        fee_schedule: cx.optional("fees", fees).flatten(),
        quotes_unavailable: quotes.is_none(),
        quotes: quotes.unwrap_or_default(),
        indices: cx.optional("indices", indices).unwrap_or_default().items,
        movers: cx.optional("movers", movers).unwrap_or_default().items,
        series: cx.optional("series", series).unwrap_or_default().items,
        daily_closes: cx.optional("daily closes", daily_closes).unwrap_or_default().items,
        corporate_events: cx.optional("corporate events", events).unwrap_or_default().items,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::time::Duration;

    use crate::pages::{
        PageData,
        tests::kit::{Calls, loaders, request},
    };

    #[tokio::test]
    async fn home_contains_the_corporate_events_of_the_quotes_service() {
        let (data, calls) = (tempfile::tempdir().unwrap(), Calls::default());
        let (loaders, _cache) = loaders(&data, &calls, Duration::ZERO).await;
        let loaded = loaders.load(&request(&loaders, "/", "")).await.unwrap();
        let PageData::HomePage(page) = &loaded.document else { panic!("no home page") };
        let ids = page.corporate_events.iter().map(|event| event.id.as_str());
        assert_eq!(ids.collect::<Vec<_>>(), ["1"]);
    }
}
