//! `/login`

use sahm_proto::page::v1::LoginPage;

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<LoginPage, LoadError> {
    let head = PageHead { noindex: true, ..PageHead::default() };
    let target_origins = cx.loaders.target_origins.to_vec();
    Ok(LoginPage { frame: cx.frame(head), target_origins })
}
