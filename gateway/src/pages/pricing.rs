//! `/pricing`

use sahm_proto::page::v1::PricingPage;

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<PricingPage, LoadError> {
    let fee_schedule = cx.optional("fees", cx.fee_schedule().await).flatten();
    Ok(PricingPage { frame: cx.frame(PageHead::default()), fee_schedule })
}
