//! `/brand`

use sahm_proto::page::v1::BrandPage;

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<BrandPage, LoadError> {
    Ok(BrandPage { frame: cx.frame(PageHead::default()) })
}
