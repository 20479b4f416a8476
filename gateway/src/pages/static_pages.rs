//! Pages whose texts the frontend has: about, brand, download, app links, login, pricing.

use sahm_proto::{
    config::v1::GetDownloadLinkInfoRequest,
    page::v1::{AboutPage, AppDeepLinkPage, BrandPage, DownloadPage, LoginPage, PricingPage},
    tags,
};
use serde_json::json;

use super::{LoadContext, LoadError, PageHead};

/// `/about`
pub(super) async fn about(cx: &LoadContext<'_>) -> Result<AboutPage, LoadError> {
    let organization = json!({
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": cx.loaders.site.name(cx.locale()),
        "url": format!("{}{}", cx.loaders.data.public_url, cx.locale().prefix()),
    });
    let head = PageHead { json_ld: vec![organization.to_string()], ..PageHead::default() };
    Ok(AboutPage { frame: cx.frame(head) })
}

/// `/brand`
pub(super) async fn brand(cx: &LoadContext<'_>) -> Result<BrandPage, LoadError> {
    Ok(BrandPage { frame: cx.frame(PageHead::default()) })
}

/// `/download`, `/download/index_v1`
pub(super) async fn download(cx: &LoadContext<'_>) -> Result<DownloadPage, LoadError> {
    let one_link = one_link(cx).await;
    Ok(DownloadPage { frame: cx.frame(PageHead::default()), one_link })
}

/// `/app-deep-link/landing`, `/app-deep-link/marketing/landing`
pub(super) async fn app_deep_link(cx: &LoadContext<'_>) -> Result<AppDeepLinkPage, LoadError> {
    let one_link = one_link(cx).await;
    let head = PageHead { noindex: true, ..PageHead::default() };
    let target_origins = cx.loaders.target_origins.to_vec();
    Ok(AppDeepLinkPage { frame: cx.frame(head), one_link, target_origins })
}

/// `/login`
pub(super) async fn login(cx: &LoadContext<'_>) -> Result<LoginPage, LoadError> {
    let head = PageHead { noindex: true, ..PageHead::default() };
    let target_origins = cx.loaders.target_origins.to_vec();
    Ok(LoginPage { frame: cx.frame(head), target_origins })
}

/// `/pricing`
pub(super) async fn pricing(cx: &LoadContext<'_>) -> Result<PricingPage, LoadError> {
    let fee_schedule = cx.optional("fees", cx.fee_schedule().await).flatten();
    Ok(PricingPage { frame: cx.frame(PageHead::default()), fee_schedule })
}

/// The link that opens the app or the platform's store; empty if unknown.
async fn one_link(cx: &LoadContext<'_>) -> String {
    let request = GetDownloadLinkInfoRequest { platform: String::new() };
    let link = cx.optional("one link", cx.read([tags::CONFIG_STORES], request).await);
    link.and_then(|response| response.link).unwrap_or_default().one_link
}
