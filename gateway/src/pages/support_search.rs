//! `/support/search`: the hits for a keyword, or common questions.

use sahm_proto::{content::v1::SearchHelpRequest, page::v1::SupportSearchPage, tags};

use super::{LoadContext, LoadError, PageHead, pagination::read_page};

const PAGE_SIZE: u32 = 10;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<SupportSearchPage, LoadError> {
    let query = &cx.request.query;
    let keyword = query.keyword.clone().unwrap_or_default();
    let tags = [tags::HELP_CHANNELS, tags::HELP_DOCUMENTS];
    let hits = read_page(query.cursor.as_deref(), |cursor| {
        let (keyword, locale) = (keyword.clone(), cx.locale_name());
        cx.read(tags, SearchHelpRequest { keyword, locale, size: PAGE_SIZE, cursor })
    });
    let (hits, questions, tree, seo) = tokio::join!(
        hits,
        cx.common_questions(),
        cx.channel_tree(),
        cx.help_seo("/support/search")
    );
    let (hits, _) = hits?;
    let mut head = PageHead { noindex: query.bypasses(), ..PageHead::from(&seo) };
    let title = format!("{keyword} | {}", seo.title);
    if !keyword.is_empty() && !seo.title.is_empty() {
        head.whole_title = &title;
    }
    Ok(SupportSearchPage {
        frame: cx.frame(head),
        keyword,
        hits: hits.items,
        total: hits.total,
        next_cursor: hits.next_cursor,
        common_questions: cx.optional("questions", questions).unwrap_or_default(),
        tree: cx.optional("channels", tree).unwrap_or_default(),
    })
}
