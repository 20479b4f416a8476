//! `/about`

use sahm_proto::page::v1::AboutPage;
use serde_json::json;

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<AboutPage, LoadError> {
    let organization = json!({
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": cx.loaders.site.name(cx.locale()),
        "url": format!("{}{}", cx.loaders.public_url, cx.locale().prefix()),
    });
    let head = PageHead { json_ld: vec![organization.to_string()], ..PageHead::default() };
    Ok(AboutPage { frame: cx.frame(head) })
}
