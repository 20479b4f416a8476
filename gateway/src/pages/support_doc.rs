//! `/support/doc/{id?}`

use sahm_proto::page::v1::SupportDocPage;

use super::{LoadContext, LoadError, PageHead, parameters::Name};
use crate::canonical_paths::{PRIVACY_POLICY_COPY, bare_document};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<SupportDocPage, LoadError> {
    let name = cx.name("id")?.unwrap_or(Name::Id(PRIVACY_POLICY_COPY));
    let document = cx.help_document(&name).await?;
    let head = PageHead {
        title: &document.title,
        description: &document.summary,
        locales: &document.available_locales,
        path: Some(bare_document(&document.slug, document.id)),
        ..PageHead::default()
    };
    Ok(SupportDocPage {
        frame: cx.frame(head),
        other_language: document.locale != cx.locale().as_str(),
        document: Some(document),
    })
}
