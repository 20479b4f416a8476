use sahm_chassis::{Error, ErrorCode, Result, clock::Clock, cursor};
use sahm_proto::content::v1::{
    self as wire, draft_service_server::DraftService, get_draft_response::Item,
};
use tonic::{Request, Response, Status};

use super::{asked, college_convert, convert, help_convert};
use crate::{
    domain::{
        Article, Draft, DraftName, DraftType, Entry, EntryKind, Locale, NewsText, Text, marked,
    },
    stocks::StockBook,
    store::{ContentStore, Counts, DraftListing, StoredDraft, StoredEntry},
};

/// `sahm.content.v1.DraftService`.
pub(crate) struct DraftCalls {
    store: ContentStore,
    clock: Clock,
    stocks: StockBook,
}

impl DraftCalls {
    /// Answers from a store; `stocks` are the securities that texts name.
    pub(crate) fn new(store: ContentStore, clock: Clock, stocks: StockBook) -> Self {
        Self { store, clock, stocks }
    }

    async fn list(&self, asked: wire::ListDraftsRequest) -> Result<wire::ListDraftsResponse> {
        let (draft_type, size) = (type_of(&asked.r#type)?, asked::size_or_all(asked.size)?);
        let drafts = self.store.drafts(&draft_type, Locale::asked(&asked.locale)).await?;
        let list = format!("drafts:{}", draft_type.as_str());
        let (drafts, next_cursor) =
            cursor::page(&list, drafts, size, &asked.cursor, DraftListing::place)?;
        let items = drafts.into_iter().map(summary).collect();
        Ok(wire::ListDraftsResponse { items, next_cursor })
    }

    async fn whole(&self, asked: wire::GetDraftRequest) -> Result<wire::GetDraftResponse> {
        let missing = || Error::of(ErrorCode::NotFound);
        let (draft_type, locale) = (type_of(&asked.r#type)?, Locale::asked(&asked.locale));
        let name = if asked.id.is_empty() {
            let drafts = self.store.drafts(&draft_type, locale).await?;
            drafts.first().map(|first| first.draft.name())
        } else {
            DraftName::parse(&asked.id)
        };
        let name = name.ok_or_else(missing)?;
        let found = self.store.draft(&draft_type, &name, locale).await?;
        let StoredDraft { draft, available_locales, imported_at } = found.ok_or_else(missing)?;
        let id = draft.label();
        let item = match draft {
            Draft::News(text) => Item::Article(self.article(*text, imported_at, available_locales)),
            Draft::Entry(entry) => {
                let held = StoredEntry {
                    entry: *entry,
                    updated_at: imported_at,
                    available_locales,
                    next_change_at: None,
                };
                let text = held.entry.text().ok_or_else(missing)?;
                match held.entry.kind() {
                    EntryKind::CollegeArticle | EntryKind::CompanyArticle => {
                        self.college_article(&held, text).await?
                    }
                    _ => self.help_document(&held, text).await?,
                }
            }
        };
        Ok(wire::GetDraftResponse { id, item: Some(item) })
    }

    fn article(
        &self,
        text: NewsText,
        updated_at: u32,
        available_locales: Vec<Locale>,
    ) -> wire::Article {
        let article = Article { text, updated_at, read_count: 0, like_count: 0, available_locales };
        convert::article(article, &self.stocks.names(), String::new())
    }

    async fn college_article(&self, held: &StoredEntry, text: &Text) -> Result<Item> {
        let now = self.clock.now();
        let course =
            self.store.entries_by_id(EntryKind::CollegeCourse, &[text.parent], None, now).await?;
        let category = course.first().and_then(Entry::course).map_or(0, |course| course.category);
        let article = college_convert::article(held, text, category, Counts::default());
        Ok(Item::CollegeArticle(article))
    }

    async fn help_document(&self, held: &StoredEntry, text: &Text) -> Result<Item> {
        let now = self.clock.now();
        let channel =
            self.store.entries_by_id(EntryKind::HelpChannel, &[text.parent], None, now).await?;
        let parent = channel.first().and_then(Entry::group).map_or(0, |group| group.parent);
        Ok(Item::HelpDocument(help_convert::document(held, text, parent)))
    }
}

fn type_of(text: &str) -> Result<DraftType> {
    DraftType::parse(text)
        .ok_or_else(|| Error::field("type", "must be 1 to 80 of a-z, 0-9 and hyphen"))
}

fn summary(listed: DraftListing) -> wire::DraftSummary {
    wire::DraftSummary {
        id: listed.draft.label(),
        kind: listed.draft.kind().as_str().to_owned(),
        locale: listed.draft.locale().as_str().to_owned(),
        title: marked(listed.draft.title(), listed.draft.locale()),
        available_locales: convert::names(&listed.available_locales),
        imported_at: listed.imported_at,
    }
}

#[tonic::async_trait]
impl DraftService for DraftCalls {
    async fn list_drafts(
        &self,
        request: Request<wire::ListDraftsRequest>,
    ) -> Result<Response<wire::ListDraftsResponse>, Status> {
        Ok(Response::new(self.list(request.into_inner()).await?))
    }

    async fn get_draft(
        &self,
        request: Request<wire::GetDraftRequest>,
    ) -> Result<Response<wire::GetDraftResponse>, Status> {
        Ok(Response::new(self.whole(request.into_inner()).await?))
    }
}
