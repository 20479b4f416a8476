use std::iter;

use futures_util::future::try_join_all;
use sahm_chassis::{Error, ErrorCode, Result, changes::ChangeLog, clock::Clock, cursor};
use sahm_proto::content::v1::{self as wire, help_service_server::HelpService};
use tonic::{Request, Response, Status};

use super::{asked, help_convert as convert, search};
use crate::{
    domain::{Entry, EntryKind, Locale, Name, PAGE_SIZE, PAGE_SIZE_MAX, lists},
    search::{Asked, Search},
    store::{ContentStore, StoredEntry},
};

const MISSING: ErrorCode = ErrorCode::DocumentNotFound;
/// Where the pages of documents are, each at its slug or id.
const DOCUMENT_PATH: &str = "/support/detail/";
/// How many documents a channel shows on the front.
const FRONT_DOCUMENTS: u32 = 4;
/// The most channels beneath one, and the most legal documents.
const CHANNELS_MAX: u32 = 200;
/// How deep channels lie within channels.
const DEPTH_MAX: usize = 8;

/// `sahm.content.v1.HelpService`.
pub(crate) struct HelpCalls {
    store: ContentStore,
    log: ChangeLog,
    clock: Clock,
    search: Search,
}

impl HelpCalls {
    /// Answers from a store; followers of the change log are woken by what calls change.
    pub(crate) fn new(store: ContentStore, log: ChangeLog, clock: Clock, search: Search) -> Self {
        Self { store, log, clock, search }
    }

    async fn held(&self, kind: EntryKind, name: &Name, locale: Locale) -> Result<StoredEntry> {
        let id = self.store.entry_id(kind, name).await?.ok_or_else(|| Error::of(MISSING))?;
        let found = self.store.entry(kind, id, locale, self.clock.now()).await?;
        found.ok_or_else(|| Error::of(MISSING))
    }

    async fn channels(&self, parent: u64) -> Result<Vec<Entry>> {
        let (list, now) = (lists::channels(parent), self.clock.now());
        let page = self
            .store
            .entries(EntryKind::HelpChannel, &list, None, None, CHANNELS_MAX, now)
            .await?;
        Ok(page.items)
    }

    async fn classification(
        &self,
        asked: wire::GetHelpClassificationRequest,
    ) -> Result<wire::GetHelpClassificationResponse> {
        let locale = Locale::asked(&asked.locale);
        let channels = self.all_channels().await?;
        let fronts = channels
            .iter()
            .filter(|entry| parent(entry) == 0)
            .map(|top| self.front(top, &channels, locale));
        let fronts = try_join_all(fronts).await?;
        let next_change_at = fronts.iter().filter_map(|(_, change)| *change).min().unwrap_or(0);
        let items = fronts.into_iter().map(|(item, _)| item).collect();
        Ok(wire::GetHelpClassificationResponse { items, next_change_at })
    }

    /// A channel with its first documents, and when one enters.
    async fn front(
        &self,
        top: &Entry,
        channels: &[Entry],
        locale: Locale,
    ) -> Result<(wire::HelpClassification, Option<u32>)> {
        // A channel whose documents all stand in sub-channels shows the first of those.
        let subs = channels.iter().filter(|entry| parent(entry) == top.id);
        let (mut documents, mut next_change_at) = (Vec::new(), None);
        for channel in iter::once(top).chain(subs) {
            let left = FRONT_DOCUMENTS - u32::try_from(documents.len()).unwrap_or(u32::MAX);
            if left == 0 {
                break;
            }
            let (list, now) = (lists::channel(channel.id), self.clock.now());
            let page = self
                .store
                .entries(EntryKind::HelpDocument, &list, Some(locale), None, left, now)
                .await?;
            documents.extend(convert::summaries(&page.items));
            next_change_at = next_change_at.into_iter().chain(page.next_change_at).min();
        }
        let channel = top.group().map(|group| convert::channel(top, group));
        Ok((wire::HelpClassification { id: top.id, channel, documents }, next_change_at))
    }

    async fn tree(&self) -> Result<wire::GetHelpChannelTreeResponse> {
        let channels = self.all_channels().await?;
        Ok(wire::GetHelpChannelTreeResponse { items: convert::nodes(&channels, 0, DEPTH_MAX) })
    }

    /// Every channel, those of one parent in order.
    async fn all_channels(&self) -> Result<Vec<Entry>> {
        let mut channels = self.store.all_of(EntryKind::HelpChannel, self.clock.now()).await?;
        channels.sort_by_key(|entry| (entry.group().map(|group| group.position), entry.id));
        Ok(channels)
    }

    async fn channel(
        &self,
        asked: wire::GetHelpChannelRequest,
    ) -> Result<wire::GetHelpChannelResponse> {
        let name = asked::name("channel_id", &asked.channel_id, MISSING)?;
        let size = asked::size(asked.size, PAGE_SIZE_MAX)?;
        let locale = Locale::asked(&asked.locale);
        let entry = self.held(EntryKind::HelpChannel, &name, locale).await?.entry;
        let (list, now) = (lists::channel(entry.id), self.clock.now());
        let after = cursor::decode(&list, &asked.cursor)?;
        let page = self
            .store
            .entries(EntryKind::HelpDocument, &list, Some(locale), after, size, now)
            .await?;
        Ok(wire::GetHelpChannelResponse {
            channel: entry.group().map(|group| convert::channel(&entry, group)),
            channels: convert::channels(&self.channels(entry.id).await?),
            documents: convert::summaries(&page.items),
            next_cursor: asked::next(&list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    async fn common(
        &self,
        asked: wire::ListCommonQuestionsRequest,
    ) -> Result<wire::ListCommonQuestionsResponse> {
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let (list, now) = (lists::COMMON, self.clock.now());
        let after = cursor::decode(list, &asked.cursor)?;
        let locale = Some(Locale::asked(&asked.locale));
        let page =
            self.store.entries(EntryKind::HelpDocument, list, locale, after, size, now).await?;
        Ok(wire::ListCommonQuestionsResponse {
            items: convert::summaries(&page.items),
            next_cursor: asked::next(list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    async fn search(&self, asked: wire::SearchHelpRequest) -> Result<wire::SearchHelpResponse> {
        let kinds = vec!["help-document".to_owned(), "legal-document".to_owned()];
        let list = search::list(&asked.keyword, &asked.locale, &kinds);
        let found = self
            .search
            .search(Asked {
                keyword: asked.keyword,
                locale: Locale::asked(&asked.locale),
                kinds,
                size: asked::size(asked.size, PAGE_SIZE)?,
                after: cursor::decode(&list, &asked.cursor)?,
            })
            .await?;
        Ok(wire::SearchHelpResponse {
            total: found.total,
            next_cursor: asked::next(&list, found.next),
            items: found.hits.into_iter().map(search::hit).collect(),
        })
    }

    async fn document(
        &self,
        asked: wire::GetHelpDocumentRequest,
    ) -> Result<wire::GetHelpDocumentResponse> {
        let name = asked::name("id", &asked.id, MISSING)?;
        let within = asked::optional_name(&asked.channel_id, MISSING)?;
        let locale = Locale::asked(&asked.locale);
        let held = self.held(EntryKind::HelpDocument, &name, locale).await?;
        let text = held.entry.text().ok_or_else(|| Error::of(MISSING))?;
        let way = self.way(text.parent).await?;
        if let Some(name) = within {
            let id = self.held(EntryKind::HelpChannel, &name, locale).await?.entry.id;
            if way.iter().all(|channel| channel.id != id) {
                return Err(Error::of(MISSING));
            }
        }
        let parent = way.last().map_or(0, parent);
        Ok(wire::GetHelpDocumentResponse {
            document: Some(convert::document(&held, text, parent)),
            next_change_at: held.next_change_at.unwrap_or(0),
        })
    }

    /// The channels that lead to one, from the top.
    async fn way(&self, channel: u64) -> Result<Vec<Entry>> {
        let (mut way, mut id) = (Vec::new(), channel);
        while id != 0 && way.len() < DEPTH_MAX {
            let found = self
                .store
                .entry(EntryKind::HelpChannel, id, Locale::EnUs, self.clock.now())
                .await?;
            let Some(held) = found else { break };
            id = parent(&held.entry);
            way.push(held.entry);
        }
        way.reverse();
        Ok(way)
    }

    async fn breadcrumb(
        &self,
        asked: wire::GetHelpBreadcrumbRequest,
    ) -> Result<wire::GetHelpBreadcrumbResponse> {
        let name = asked::name("id", &asked.id, MISSING)?;
        let locale = Locale::asked(&asked.locale);
        let entry = self.held(EntryKind::HelpDocument, &name, locale).await?.entry;
        let text = entry.text().ok_or_else(|| Error::of(MISSING))?;
        let way = self.way(text.parent).await?;
        let steps = way.iter().filter_map(|channel| {
            Some(wire::HelpStep {
                id: channel.id,
                kind: "channel".to_owned(),
                name: convert::in_locale(&channel.group()?.name, locale),
                link: format!("/support/channel/{}", channel.id),
            })
        });
        let last = wire::HelpStep {
            id: entry.id,
            kind: "document".to_owned(),
            name: convert::shown(&text.title, &entry),
            link: format!("{DOCUMENT_PATH}{}", entry.slug),
        };
        Ok(wire::GetHelpBreadcrumbResponse { items: steps.chain([last]).collect() })
    }

    async fn seo(
        &self,
        asked: wire::GetHelpSeoInfoRequest,
    ) -> Result<wire::GetHelpSeoInfoResponse> {
        if asked.path.is_empty() {
            return Err(Error::field("path", "is needed"));
        }
        let Some(entry) = self.store.entry_at(EntryKind::SeoInfo, &asked.path).await? else {
            return self.document_seo(asked.path).await;
        };
        let group = entry.group().ok_or_else(|| Error::of(MISSING))?;
        Ok(wire::GetHelpSeoInfoResponse {
            id: entry.id,
            path: asked.path,
            title: group.name.en.clone(),
            title_en: group.name.en.clone(),
            title_sa: convert::arabic(&group.name),
            description: group.description.en.clone(),
            description_en: group.description.en.clone(),
            description_sa: convert::arabic(&group.description),
        })
    }

    /// The title and summary of the document whose page is at a path.
    async fn document_seo(&self, path: String) -> Result<wire::GetHelpSeoInfoResponse> {
        let missing = || Error::of(MISSING);
        let name = path.strip_prefix(DOCUMENT_PATH).and_then(Name::parse).ok_or_else(missing)?;
        let id = self.held(EntryKind::HelpDocument, &name, Locale::EnUs).await?.entry.id;
        let texts_in = async |locale| {
            let entry = self.held(EntryKind::HelpDocument, &Name::Id(id), locale).await?.entry;
            let text = entry.text().ok_or_else(missing)?;
            let texts =
                (convert::shown(&text.title, &entry), convert::shown(&text.summary, &entry));
            Ok::<_, Error>((entry.locale == Some(locale)).then_some(texts))
        };
        let (en, sa) = (texts_in(Locale::EnUs).await?, texts_in(Locale::ArSa).await?);
        let (title, description) = en.clone().or_else(|| sa.clone()).ok_or_else(missing)?;
        let (title_en, description_en) = en.unwrap_or_default();
        let (title_sa, description_sa) = sa.unwrap_or_default();
        Ok(wire::GetHelpSeoInfoResponse {
            id,
            path,
            title,
            title_en,
            title_sa,
            description,
            description_en,
            description_sa,
        })
    }

    async fn legal(
        &self,
        asked: wire::ListLegalDocumentsRequest,
    ) -> Result<wire::ListLegalDocumentsResponse> {
        let (locale, now) = (Some(Locale::asked(&asked.locale)), self.clock.now());
        let page = self
            .store
            .entries(EntryKind::HelpDocument, lists::LEGAL, locale, None, CHANNELS_MAX, now)
            .await?;
        Ok(wire::ListLegalDocumentsResponse {
            items: convert::summaries(&page.items),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    async fn channels_by_id(
        &self,
        asked: wire::BatchGetHelpChannelsRequest,
    ) -> Result<wire::BatchGetHelpChannelsResponse> {
        asked::batch(&asked.ids)?;
        let now = self.clock.now();
        let found = self.store.entries_by_id(EntryKind::HelpChannel, &asked.ids, None, now).await?;
        Ok(wire::BatchGetHelpChannelsResponse { items: convert::channels(&found) })
    }

    async fn batch(
        &self,
        asked: wire::BatchGetHelpDocumentsRequest,
    ) -> Result<wire::BatchGetHelpDocumentsResponse> {
        asked::batch(&asked.ids)?;
        let (locale, now) = (Some(Locale::asked(&asked.locale)), self.clock.now());
        let found =
            self.store.entries_by_id(EntryKind::HelpDocument, &asked.ids, locale, now).await?;
        Ok(wire::BatchGetHelpDocumentsResponse { items: convert::summaries(&found) })
    }

    async fn refs(
        &self,
        asked: wire::ListHelpDocumentRefsRequest,
    ) -> Result<wire::ListHelpDocumentRefsResponse> {
        let size = asked::refs_size(asked.size)?;
        let now = self.clock.now();
        let list = "help-document-refs";
        let after = cursor::decode(list, &asked.cursor)?.unwrap_or(asked.after_id);
        let mut found =
            self.store.entry_refs(EntryKind::HelpDocument, after, size + 1, now).await?;
        let next_cursor = cursor::cut(list, &mut found, size as usize, |last| last.entry.id);
        let items = found.into_iter().map(|found| wire::HelpDocumentRef {
            id: found.entry.id,
            kind: found.entry.kind().as_str().to_owned(),
            slug: found.entry.slug,
            available_locales: convert::names(&found.available_locales),
            updated_at: found.updated_at,
        });
        Ok(wire::ListHelpDocumentRefsResponse { items: items.collect(), next_cursor })
    }

    async fn withdraw(
        &self,
        asked: wire::WithdrawHelpDocumentsRequest,
    ) -> Result<wire::WithdrawHelpDocumentsResponse> {
        asked::withdrawal(&asked.ids)?;
        let withdrawn_ids =
            self.store.withdraw_entries(EntryKind::HelpDocument, &asked.ids).await?;
        self.log.notify();
        Ok(wire::WithdrawHelpDocumentsResponse { withdrawn_ids })
    }
}

/// The channel above one; 0 above the first.
fn parent(channel: &Entry) -> u64 {
    channel.group().map_or(0, |group| group.parent)
}

#[tonic::async_trait]
impl HelpService for HelpCalls {
    async fn get_help_classification(
        &self,
        request: Request<wire::GetHelpClassificationRequest>,
    ) -> Result<Response<wire::GetHelpClassificationResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.classification(asked).await?))
    }

    async fn get_help_channel_tree(
        &self,
        _: Request<wire::GetHelpChannelTreeRequest>,
    ) -> Result<Response<wire::GetHelpChannelTreeResponse>, Status> {
        Ok(Response::new(self.tree().await?))
    }

    async fn get_help_channel(
        &self,
        request: Request<wire::GetHelpChannelRequest>,
    ) -> Result<Response<wire::GetHelpChannelResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.channel(asked).await?))
    }

    async fn list_common_questions(
        &self,
        request: Request<wire::ListCommonQuestionsRequest>,
    ) -> Result<Response<wire::ListCommonQuestionsResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.common(asked).await?))
    }

    async fn search_help(
        &self,
        request: Request<wire::SearchHelpRequest>,
    ) -> Result<Response<wire::SearchHelpResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.search(asked).await?))
    }

    async fn get_help_document(
        &self,
        request: Request<wire::GetHelpDocumentRequest>,
    ) -> Result<Response<wire::GetHelpDocumentResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.document(asked).await?))
    }

    async fn get_help_breadcrumb(
        &self,
        request: Request<wire::GetHelpBreadcrumbRequest>,
    ) -> Result<Response<wire::GetHelpBreadcrumbResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.breadcrumb(asked).await?))
    }

    async fn get_help_seo_info(
        &self,
        request: Request<wire::GetHelpSeoInfoRequest>,
    ) -> Result<Response<wire::GetHelpSeoInfoResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.seo(asked).await?))
    }

    async fn list_legal_documents(
        &self,
        request: Request<wire::ListLegalDocumentsRequest>,
    ) -> Result<Response<wire::ListLegalDocumentsResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.legal(asked).await?))
    }

    async fn batch_get_help_channels(
        &self,
        request: Request<wire::BatchGetHelpChannelsRequest>,
    ) -> Result<Response<wire::BatchGetHelpChannelsResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.channels_by_id(asked).await?))
    }

    async fn batch_get_help_documents(
        &self,
        request: Request<wire::BatchGetHelpDocumentsRequest>,
    ) -> Result<Response<wire::BatchGetHelpDocumentsResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.batch(asked).await?))
    }

    async fn list_help_document_refs(
        &self,
        request: Request<wire::ListHelpDocumentRefsRequest>,
    ) -> Result<Response<wire::ListHelpDocumentRefsResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.refs(asked).await?))
    }

    async fn withdraw_help_documents(
        &self,
        request: Request<wire::WithdrawHelpDocumentsRequest>,
    ) -> Result<Response<wire::WithdrawHelpDocumentsResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.withdraw(asked).await?))
    }
}
