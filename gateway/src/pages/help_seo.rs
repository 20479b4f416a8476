//! Titles and descriptions of help centre pages from content.

use super::{LoadContext, frame::PageHead};
use crate::visitor::Locale;

/// Title and description of a page in its locale; empty if content has none.
#[derive(Default)]
pub(super) struct HelpSeo {
    pub(super) title: String,
    pub(super) description: String,
}

impl HelpSeo {
    pub(super) async fn load(cx: &LoadContext<'_>, path: &str) -> Self {
        let info = cx.optional("seo", cx.help_seo(path).await).flatten().unwrap_or_default();
        let first = |own: String, bare: String| if own.is_empty() { bare } else { own };
        match cx.locale() {
            Locale::ArSa => Self {
                title: first(info.title_sa, info.title),
                description: first(info.description_sa, info.description),
            },
            Locale::EnUs => Self {
                title: first(info.title_en, info.title),
                description: first(info.description_en, info.description),
            },
        }
    }

    pub(super) fn head(&self) -> PageHead<'_> {
        PageHead { whole_title: &self.title, description: &self.description, ..PageHead::default() }
    }
}
