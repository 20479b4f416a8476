//! `/invest` and its products.

use sahm_proto::page::v1::InvestPage;

use super::{LoadContext, LoadError, PageHead};

/// Id of the parent page of all products.
const PARENT: &str = "invest";

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<InvestPage, LoadError> {
    let page = cx.page.as_str();
    let title = |page: &str| short_title(&cx.loaders.site.head(page, cx.locale()).title);
    let (parent, own) = (title(PARENT), title(page));
    let steps = [(parent.as_str(), "/invest"), (own.as_str(), cx.request.path.as_str())];
    let steps = steps.into_iter().filter(|_| page != PARENT);
    let json_ld = cx.breadcrumb_json_ld(steps).into_iter().collect();
    let (quotes, fees, announcements) = tokio::join!(
        cx.quotes(samples(page).to_owned()),
        cx.fee_schedule(),
        cx.announcements(market_of(page)),
    );
    let quotes = cx.optional("quotes", quotes);
    Ok(InvestPage {
        frame: cx.frame(PageHead { json_ld, ..PageHead::default() }),
        quotes_unavailable: quotes.is_none(),
        quotes: quotes.unwrap_or_default(),
        fee_schedule: cx.optional("fees", fees).flatten(),
        announcements: cx.optional("announcements", announcements).unwrap_or_default(),
    })
}

/// The market of a product.
fn market_of(page: &str) -> &'static str {
    match page.strip_prefix("invest-") {
        Some(product) if product.starts_with("saudi") => "saudi",
        Some(_) => "us",
        None => "all",
    }
}

/// A page's title without the site's name.
fn short_title(title: &str) -> String {
    title.rsplit_once(" | ").map_or(title, |(own, _)| own).to_owned()
}

/// Large, liquid, well-known securities as examples of a product. There are no quotes for sukuk, warrants and options.
fn samples(page: &str) -> &'static str {
    match page {
        "invest" => "2222,1120,2010,AAPL,NVDA,SPY",
        "invest-saudi-stocks" => "2222,1120,2010,7010,1211,2082",
        "invest-saudi-reits" => "4330,4332,4339,4340,4342,4347",
        "invest-us-stocks" => "AAPL,MSFT,NVDA,AMZN,TSLA,JPM",
        "invest-us-etfs" => "SPY,QQQ,VOO,IWM,SPUS,HLAL",
        // Underlyings of the options.
        "invest-us-options" => "AAPL,NVDA,TSLA,AMZN,SPY,QQQ",
        _ => "",
    }
}
