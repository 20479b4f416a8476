//! `/`

use sahm_proto::page::v1::HomePage;
use serde_json::json;

use super::{LoadContext, LoadError, PageHead};

/// Number of articles: the lead and three more.
const ARTICLES_SIZE: u32 = 4;

/// Well-known securities of both markets for the watch list.
const WATCH_LIST: &str = "2222,1120,2010,7010,AAPL,NVDA,MSFT,SPY";

/// Indices whose day series are shown.
const INDICES: &str = "TASI,NOMU,SPX,IXIC";

/// Number of gainers, and of losers, per market.
const MOVERS_SIZE: u32 = 3;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<HomePage, LoadError> {
    let web_site = json!({
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": cx.loaders.site.name(cx.locale()),
        "url": format!("{}{}", cx.loaders.public_url, cx.locale().prefix()),
        "inLanguage": cx.locale().tag(),
    });
    let head = PageHead { json_ld: vec![web_site.to_string()], ..PageHead::default() };
    let (articles, fees, quotes, indices, movers, series, daily_closes) = tokio::join!(
        cx.articles("all", 0, ARTICLES_SIZE, String::new()),
        cx.fee_schedule(),
        cx.quotes(WATCH_LIST.to_owned()),
        cx.indices(),
        cx.movers(MOVERS_SIZE),
        cx.day_series(format!("{WATCH_LIST},{INDICES}")),
        cx.daily_closes(),
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
        indices: cx.optional("indices", indices).unwrap_or_default(),
        movers: cx.optional("movers", movers).unwrap_or_default(),
        series: cx.optional("series", series).unwrap_or_default(),
        daily_closes: cx.optional("daily closes", daily_closes).unwrap_or_default(),
    })
}
