//! `/`

use sahm_proto::page::v1::HomePage;
use serde_json::json;

use super::{LoadContext, LoadError, PageHead};

/// Articles on the home page: the lead and three more.
const ARTICLES_SIZE: u32 = 4;

/// Securities of the strip: of both markets, known to every reader.
const STRIP: &str = "2222,1120,2010,AAPL,NVDA,SPY";

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<HomePage, LoadError> {
    let web_site = json!({
        "@context": "https://schema.org",
        "@type": "WebSite",
        "name": cx.loaders.site.name(cx.locale()),
        "url": format!("{}{}", cx.loaders.public_url, cx.locale().prefix()),
        "inLanguage": cx.locale().tag(),
    });
    let head = PageHead { json_ld: vec![web_site.to_string()], ..PageHead::default() };
    let (articles, fees, quotes) = tokio::join!(
        cx.articles("all", 0, ARTICLES_SIZE, String::new()),
        cx.fee_schedule(),
        cx.quotes(STRIP.to_owned()),
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
    })
}
