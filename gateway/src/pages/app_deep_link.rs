//! `/app-deep-link/landing`, `/app-deep-link/marketing/landing`

use sahm_proto::page::v1::AppDeepLinkPage;

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<AppDeepLinkPage, LoadError> {
    let one_link = cx.optional("one link", cx.one_link().await).unwrap_or_default();
    let head = PageHead { noindex: true, ..PageHead::default() };
    let target_origins = cx.loaders.target_origins.to_vec();
    Ok(AppDeepLinkPage { frame: cx.frame(head), one_link, target_origins })
}
