//! `/support`

use sahm_proto::page::v1::SupportPage;

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<SupportPage, LoadError> {
    let (classification, questions, seo) =
        tokio::join!(cx.help_classification(), cx.common_questions(), cx.help_seo("/support"),);
    Ok(SupportPage {
        frame: cx.frame(PageHead::from(&seo)),
        classification: classification?.items,
        common_questions: cx.optional("questions", questions).unwrap_or_default(),
    })
}
