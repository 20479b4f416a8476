//! `/download`, `/download/index_v1`

use sahm_proto::page::v1::DownloadPage;

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<DownloadPage, LoadError> {
    let one_link = cx.optional("one link", cx.one_link().await).unwrap_or_default();
    Ok(DownloadPage { frame: cx.frame(PageHead::default()), one_link })
}
