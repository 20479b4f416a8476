//! `sahm.content.v1.DraftService`.
use sahm_chassis::{Error, ErrorCode, Result, cursor};
use sahm_proto::content::v1::{
    self as wire, draft_service_server::DraftService, get_draft_response::Item,
};
use tonic::{Request, Response, Status};

use super::{convert, education, entries::ContentRpc, help, validate};
use crate::{
    domain::{DraftName, DraftType, Entry, EntryData, EntryKind, Locale, draft_label},
    store::{Counts, DraftListing},
};

#[tonic::async_trait]
impl DraftService for ContentRpc {
    async fn list_drafts(
        &self,
        request: Request<wire::ListDraftsRequest>,
    ) -> Result<Response<wire::ListDraftsResponse>, Status> {
        let request = request.into_inner();
        let draft_type = draft_type(&request.r#type)?;
        let size = validate::size_or_all(request.size)?;
        let locale = Locale::parse_or_english(&request.locale);
        let drafts = self.store.drafts(&draft_type, locale).await?;
        let list = format!("drafts:{}", draft_type.as_str());
        let (drafts, next_cursor) =
            cursor::page(&list, drafts, size, &request.cursor, DraftListing::sort_key)?;
        let items = drafts.into_iter().map(summary).collect();
        Ok(Response::new(wire::ListDraftsResponse { items, next_cursor }))
    }

    async fn get_draft(
        &self,
        request: Request<wire::GetDraftRequest>,
    ) -> Result<Response<wire::GetDraftResponse>, Status> {
        let request = request.into_inner();
        let missing = || Error::of(ErrorCode::NotFound);
        let draft_type = draft_type(&request.r#type)?;
        let locale = Locale::parse_or_english(&request.locale);
        let store = &self.store;
        let name = if request.id.is_empty() {
            let drafts = store.drafts(&draft_type, locale).await?;
            drafts.first().map(|first| DraftName::of(&first.entry))
        } else {
            DraftName::parse(&request.id)
        };
        let found = store.draft(&draft_type, &name.ok_or_else(missing)?, locale).await?;
        let found = found.ok_or_else(missing)?;
        let id = draft_label(&found.entry);
        let text = found.entry.text().ok_or_else(missing)?;
        let item = match &found.entry.data {
            EntryData::News(article) => {
                let (counts, names) = (Counts::default(), self.stocks.names());
                Item::Article(convert::article(&found, article, counts, &names, String::new()))
            }
            EntryData::CollegeArticle(_) | EntryData::CompanyArticle(_) => {
                let category = self.category_of(text.parent).await?.unwrap_or(0);
                Item::CollegeArticle(education::article(&found, text, category, Counts::default()))
            }
            _ => {
                let channel = self.by_id(EntryKind::HelpChannel, text.parent).await?;
                let parent =
                    channel.as_ref().and_then(Entry::group).map_or(0, |group| group.parent);
                Item::HelpDocument(help::document(&found, text, parent))
            }
        };
        Ok(Response::new(wire::GetDraftResponse { id, item: Some(item) }))
    }
}

fn draft_type(text: &str) -> Result<DraftType> {
    DraftType::parse(text)
        .ok_or_else(|| Error::field("type", "must be 1 to 80 of a-z, 0-9 and hyphen"))
}

fn summary(listed: DraftListing) -> wire::DraftSummary {
    let entry = &listed.entry;
    wire::DraftSummary {
        id: draft_label(entry),
        kind: entry.kind().as_str().to_owned(),
        locale: convert::locale(entry),
        title: entry
            .text()
            .map(|text| convert::display_text(&text.title, entry))
            .unwrap_or_default(),
        available_locales: convert::names(&listed.available_locales),
        imported_at: listed.imported_at,
    }
}
