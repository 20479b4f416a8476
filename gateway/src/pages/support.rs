//! `/support`

use sahm_proto::{content::v1::GetHelpClassificationRequest, page::v1::SupportPage, tags};

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<SupportPage, LoadError> {
    let tags = [tags::HELP_CHANNELS, tags::HELP_DOCUMENTS];
    let request = GetHelpClassificationRequest { locale: cx.locale_name() };
    let (classification, questions, seo) =
        tokio::join!(cx.read(tags, request), cx.common_questions(), cx.help_seo("/support"));
    Ok(SupportPage {
        frame: cx.frame(PageHead::from(&seo)),
        classification: classification?.items,
        common_questions: cx.optional("questions", questions).unwrap_or_default(),
    })
}
