//! `/support`

use sahm_proto::page::v1::SupportPage;

use super::{LoadContext, LoadError, help_seo::HelpSeo};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<SupportPage, LoadError> {
    let (classification, questions, seo) = tokio::join!(
        cx.help_classification(),
        cx.common_questions(),
        HelpSeo::load(cx, "/support"),
    );
    Ok(SupportPage {
        frame: cx.frame(seo.head()),
        classification: classification?.items,
        common_questions: cx.optional("questions", questions).unwrap_or_default(),
    })
}
