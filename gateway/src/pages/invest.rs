//! `/invest`, its children, and `/pricing`.

use sahm_chassis::error::Error;
use sahm_proto::{
    config::v1::{FeeSchedule, GetFeeScheduleRequest},
    page::v1::{InvestPage, PricingPage},
    quotes::v1::BatchGetQuotesRequest,
    tags,
};

use super::{Document, Found, Loaded, Loaders, PageRequest, frame::PageHead};
use crate::{routes::PageId, services::reading};

/// The page above every product.
const PARENT: &str = "invest";

impl Loaders {
    pub(super) async fn invest(
        &self,
        request: &PageRequest,
        page: PageId,
    ) -> Result<Loaded, Error> {
        let mut found = Found::default();
        let quotes = async {
            let security_codes = samples(page.as_str()).to_owned();
            if security_codes.is_empty() {
                return Ok(Vec::new());
            }
            let request = BatchGetQuotesRequest { security_codes };
            Ok(reading(self.services.quotes()?.batch_get_quotes(request)).await?.quotes)
        };
        let locale = request.visitor.locale;
        let title = |page: &str| own_title(&self.site.head(page, locale).title);
        let (above, own) = (title(PARENT), title(page.as_str()));
        let steps = [(above.as_str(), "/invest"), (own.as_str(), request.path.as_str())];
        let steps = steps.into_iter().filter(|_| page.as_str() != PARENT);
        let head = PageHead {
            json_ld: self.breadcrumb_json_ld(locale, steps).into_iter().collect(),
            ..PageHead::default()
        };
        let (quotes, fees, announcements) = tokio::join!(
            quotes,
            self.fee_schedule(),
            self.announcements(locale, market_of(page.as_str())),
        );
        found.tag(tags::CONFIG_FEES);
        let quotes = found.optional("quotes", quotes);
        let document = InvestPage {
            frame: Some(self.frame_of_page(request, page, head)),
            quotes_unavailable: quotes.is_none(),
            quotes: quotes.unwrap_or_default(),
            fee_schedule: found.optional("fees", fees).flatten(),
            announcements: found.optional("announcements", announcements).unwrap_or_default(),
        };
        Ok(found.loaded(200, page.as_str(), Document::Invest(Box::new(document))))
    }

    pub(super) async fn pricing(
        &self,
        request: &PageRequest,
        page: PageId,
    ) -> Result<Loaded, Error> {
        let mut found = Found::default();
        found.tag(tags::CONFIG_FEES);
        let fee_schedule = found.optional("fees", self.fee_schedule().await).flatten();
        let frame = Some(self.frame_of_page(request, page, PageHead::default()));
        let document = PricingPage { frame, fee_schedule };
        Ok(found.loaded(200, page.as_str(), Document::Pricing(Box::new(document))))
    }

    pub(super) async fn fee_schedule(&self) -> Result<Option<FeeSchedule>, Error> {
        let mut config = self.services.config()?;
        Ok(reading(config.get_fee_schedule(GetFeeScheduleRequest {})).await?.fee_schedule)
    }
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
fn own_title(title: &str) -> String {
    title.rsplit_once(" | ").map_or(title, |(own, _)| own).to_owned()
}

/// Securities that show what a product page is about: large, liquid, known to every reader. The
/// markets have no quotes here for sukuk, warrants and options.
fn samples(page: &str) -> &'static str {
    match page {
        "invest" => "2222,1120,2010,AAPL,NVDA,SPY",
        "invest-saudi-stocks" => "2222,1120,2010,7010,1211,2082",
        "invest-saudi-reits" => "4330,4332,4339,4340,4342,4347",
        "invest-us-stocks" => "AAPL,MSFT,NVDA,AMZN,TSLA,JPM",
        "invest-us-etfs" => "SPY,QQQ,VOO,IWM,SPUS,HLAL",
        // What the contracts are about.
        "invest-us-options" => "AAPL,NVDA,TSLA,AMZN,SPY,QQQ",
        _ => "",
    }
}
