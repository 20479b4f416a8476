//! `sahm.content.v1.HelpService`.

mod convert;

use std::iter;

use futures_util::future::try_join_all;
use sahm_chassis::{Error, ErrorCode, Result};
use sahm_proto::content::v1::{self as wire, help_service_server::HelpService};
use tonic::{Request, Response, Status};

use super::{
    entries::{ContentRpc, FromEntry, items},
    search, validate,
};
use crate::domain::{Entry, EntryKind, IdOrSlug, Locale, MAX_PAGE_SIZE, PAGE_SIZE, id_for, lists};
pub(super) use convert::document;

const MISSING: ErrorCode = ErrorCode::DocumentNotFound;
/// Path of document pages, up to the slug or id.
const DOCUMENT_PATH: &str = "/support/detail/";
/// Number of documents per channel on the front page.
const FRONT_DOCUMENTS: u32 = 4;
/// Maximum number of sub-channels of a channel, and of legal documents.
const MAX_CHANNELS: u32 = 200;
/// Maximum nesting depth of channels.
const MAX_DEPTH: usize = 8;

impl ContentRpc {
    /// All channels; siblings are in display order.
    async fn all_channels(&self) -> Result<Vec<Entry>> {
        let now = self.clock.now();
        let mut channels = self.store.all_of(EntryKind::HelpChannel, now).await?;
        channels.sort_by_key(|entry| (entry.group().map(|group| group.position), entry.id));
        Ok(channels)
    }

    /// A channel with its first documents, and the time of the next publication in it.
    async fn front(
        &self,
        top: &Entry,
        channels: &[Entry],
        locale: Locale,
    ) -> Result<(wire::HelpClassification, Option<u32>)> {
        // Documents of sub-channels fill up the list.
        let subs = channels.iter().filter(|entry| parent(entry) == top.id);
        let (mut documents, mut next_change_at) = (Vec::new(), None);
        for channel in iter::once(top).chain(subs) {
            let left = FRONT_DOCUMENTS - u32::try_from(documents.len()).unwrap_or(u32::MAX);
            if left == 0 {
                break;
            }
            let list = lists::channel(channel.id);
            let page = self.first(EntryKind::HelpDocument, &list, Some(locale), left).await?;
            documents.extend(items(&page.items));
            next_change_at = next_change_at.into_iter().chain(page.next_change_at).min();
        }
        let channel = wire::HelpChannel::from_entry(top);
        Ok((wire::HelpClassification { id: top.id, channel, documents }, next_change_at))
    }

    /// The ancestors of a channel, top-level first.
    async fn ancestors(&self, channel: u64) -> Result<Vec<Entry>> {
        let (mut ancestors, mut id) = (Vec::new(), channel);
        while id != 0 && ancestors.len() < MAX_DEPTH {
            let Some(channel) = self.by_id(EntryKind::HelpChannel, id).await? else { break };
            id = parent(&channel);
            ancestors.push(channel);
        }
        ancestors.reverse();
        Ok(ancestors)
    }

    /// The title and summary of the document whose page is at a path.
    async fn document_seo(&self, path: String) -> Result<wire::GetHelpSeoInfoResponse> {
        let missing = || Error::of(MISSING);
        let name = path.strip_prefix(DOCUMENT_PATH).and_then(IdOrSlug::parse);
        let name = name.ok_or_else(missing)?;
        let id = self.find(EntryKind::HelpDocument, &name, Locale::EnUs).await?.entry.id;
        let texts_in = async |locale| {
            let id = IdOrSlug::Id(id);
            let entry = self.find(EntryKind::HelpDocument, &id, locale).await?.entry;
            let text = entry.text().ok_or_else(missing)?;
            let texts = (
                convert::display_text(&text.title, &entry),
                convert::display_text(&text.summary, &entry),
            );
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
}

/// The parent of a channel; 0 for a top-level channel.
fn parent(channel: &Entry) -> u64 {
    channel.group().map_or(0, |group| group.parent)
}

#[tonic::async_trait]
impl HelpService for ContentRpc {
    async fn get_help_classification(
        &self,
        request: Request<wire::GetHelpClassificationRequest>,
    ) -> Result<Response<wire::GetHelpClassificationResponse>, Status> {
        let locale = Locale::parse_or_english(&request.into_inner().locale);
        let channels = self.all_channels().await?;
        let fronts = channels
            .iter()
            .filter(|entry| parent(entry) == 0)
            .map(|top| self.front(top, &channels, locale));
        let fronts = try_join_all(fronts).await?;
        let next_change_at = fronts.iter().filter_map(|(_, change)| *change).min().unwrap_or(0);
        let items = fronts.into_iter().map(|(item, _)| item).collect();
        Ok(Response::new(wire::GetHelpClassificationResponse { items, next_change_at }))
    }

    async fn get_help_channel_tree(
        &self,
        _: Request<wire::GetHelpChannelTreeRequest>,
    ) -> Result<Response<wire::GetHelpChannelTreeResponse>, Status> {
        let items = convert::nodes(&self.all_channels().await?, 0, MAX_DEPTH);
        Ok(Response::new(wire::GetHelpChannelTreeResponse { items }))
    }

    async fn get_help_channel(
        &self,
        request: Request<wire::GetHelpChannelRequest>,
    ) -> Result<Response<wire::GetHelpChannelResponse>, Status> {
        let request = request.into_inner();
        let name = validate::id_or_slug("channel_id", &request.channel_id, MISSING)?;
        let size = validate::page_size(request.size, MAX_PAGE_SIZE)?;
        let locale = Locale::parse_or_english(&request.locale);
        let entry = self.find(EntryKind::HelpChannel, &name, locale).await?.entry;
        let (list, kind) = (lists::channel(entry.id), EntryKind::HelpDocument);
        let page = self.page(kind, &list, Some(locale), size, &request.cursor).await?;
        let beneath = lists::channels(entry.id);
        let beneath = self.first(EntryKind::HelpChannel, &beneath, None, MAX_CHANNELS).await?;
        Ok(Response::new(wire::GetHelpChannelResponse {
            channel: wire::HelpChannel::from_entry(&entry),
            channels: items(&beneath.items),
            documents: items(&page.items),
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn list_common_questions(
        &self,
        request: Request<wire::ListCommonQuestionsRequest>,
    ) -> Result<Response<wire::ListCommonQuestionsResponse>, Status> {
        let request = request.into_inner();
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let (list, locale) = (lists::COMMON, Some(Locale::parse_or_english(&request.locale)));
        let page = self.page(EntryKind::HelpDocument, list, locale, size, &request.cursor).await?;
        Ok(Response::new(wire::ListCommonQuestionsResponse {
            items: items(&page.items),
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn search_help(
        &self,
        request: Request<wire::SearchHelpRequest>,
    ) -> Result<Response<wire::SearchHelpResponse>, Status> {
        let request = request.into_inner();
        let page = search::page(
            &self.search,
            wire::SearchRequest {
                keyword: request.keyword,
                locale: request.locale,
                kinds: vec!["help-document".to_owned(), "legal-document".to_owned()],
                size: request.size,
                cursor: request.cursor,
            },
        );
        let page = page.await?;
        Ok(Response::new(wire::SearchHelpResponse {
            items: page.items,
            next_cursor: page.next_cursor,
            total: page.total,
        }))
    }

    async fn get_help_document(
        &self,
        request: Request<wire::GetHelpDocumentRequest>,
    ) -> Result<Response<wire::GetHelpDocumentResponse>, Status> {
        let request = request.into_inner();
        let name = validate::id_or_slug("id", &request.id, MISSING)?;
        let channel = validate::optional_id_or_slug(&request.channel_id, MISSING)?;
        let locale = Locale::parse_or_english(&request.locale);
        let found = self.find(EntryKind::HelpDocument, &name, locale).await?;
        let text = found.entry.text().ok_or_else(|| Error::of(MISSING))?;
        let ancestors = self.ancestors(text.parent).await?;
        if let Some(name) = channel {
            let id = self.find(EntryKind::HelpChannel, &name, locale).await?.entry.id;
            if ancestors.iter().all(|channel| channel.id != id) {
                return Err(Error::of(MISSING).into());
            }
        }
        let parent = ancestors.last().map_or(0, parent);
        Ok(Response::new(wire::GetHelpDocumentResponse {
            document: Some(convert::document(&found, text, parent)),
            next_change_at: found.next_change_at.unwrap_or(0),
        }))
    }

    async fn get_help_breadcrumb(
        &self,
        request: Request<wire::GetHelpBreadcrumbRequest>,
    ) -> Result<Response<wire::GetHelpBreadcrumbResponse>, Status> {
        let request = request.into_inner();
        let name = validate::id_or_slug("id", &request.id, MISSING)?;
        let locale = Locale::parse_or_english(&request.locale);
        let entry = self.find(EntryKind::HelpDocument, &name, locale).await?.entry;
        let text = entry.text().ok_or_else(|| Error::of(MISSING))?;
        let ancestors = self.ancestors(text.parent).await?;
        let steps = ancestors.iter().filter_map(|channel| {
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
            name: convert::display_text(&text.title, &entry),
            link: format!("{DOCUMENT_PATH}{}", entry.slug),
        };
        let items = steps.chain([last]).collect();
        Ok(Response::new(wire::GetHelpBreadcrumbResponse { items }))
    }

    async fn get_help_seo_info(
        &self,
        request: Request<wire::GetHelpSeoInfoRequest>,
    ) -> Result<Response<wire::GetHelpSeoInfoResponse>, Status> {
        let path = request.into_inner().path;
        validate::required("path", &path)?;
        let Some(entry) = self.by_id(EntryKind::SeoInfo, id_for(&path)).await? else {
            return Ok(Response::new(self.document_seo(path).await?));
        };
        let group = entry.group().ok_or_else(|| Error::of(MISSING))?;
        Ok(Response::new(wire::GetHelpSeoInfoResponse {
            id: entry.id,
            path,
            title: group.name.en.clone(),
            title_en: group.name.en.clone(),
            title_sa: convert::arabic(&group.name),
            description: group.description.en.clone(),
            description_en: group.description.en.clone(),
            description_sa: convert::arabic(&group.description),
        }))
    }

    async fn list_legal_documents(
        &self,
        request: Request<wire::ListLegalDocumentsRequest>,
    ) -> Result<Response<wire::ListLegalDocumentsResponse>, Status> {
        let (list, locale) =
            (lists::LEGAL, Some(Locale::parse_or_english(&request.into_inner().locale)));
        let page = self.first(EntryKind::HelpDocument, list, locale, MAX_CHANNELS).await?;
        Ok(Response::new(wire::ListLegalDocumentsResponse {
            items: items(&page.items),
            next_change_at: page.next_change_at.unwrap_or(0),
        }))
    }

    async fn batch_get_help_channels(
        &self,
        request: Request<wire::BatchGetHelpChannelsRequest>,
    ) -> Result<Response<wire::BatchGetHelpChannelsResponse>, Status> {
        let ids = request.into_inner().ids;
        let items = items(&self.batch(EntryKind::HelpChannel, &ids, None).await?);
        Ok(Response::new(wire::BatchGetHelpChannelsResponse { items }))
    }

    async fn batch_get_help_documents(
        &self,
        request: Request<wire::BatchGetHelpDocumentsRequest>,
    ) -> Result<Response<wire::BatchGetHelpDocumentsResponse>, Status> {
        let request = request.into_inner();
        let locale = Some(Locale::parse_or_english(&request.locale));
        let items = items(&self.batch(EntryKind::HelpDocument, &request.ids, locale).await?);
        Ok(Response::new(wire::BatchGetHelpDocumentsResponse { items }))
    }

    async fn list_help_document_refs(
        &self,
        request: Request<wire::ListHelpDocumentRefsRequest>,
    ) -> Result<Response<wire::ListHelpDocumentRefsResponse>, Status> {
        let wire::ListHelpDocumentRefsRequest { size, after_id, cursor } = request.into_inner();
        let (kind, list) = (EntryKind::HelpDocument, "help-document-refs");
        let (found, next_cursor) = self.refs(kind, list, size, after_id, &cursor).await?;
        let items = found.into_iter().map(convert::document_ref).collect();
        Ok(Response::new(wire::ListHelpDocumentRefsResponse { items, next_cursor }))
    }

    async fn withdraw_help_documents(
        &self,
        request: Request<wire::WithdrawHelpDocumentsRequest>,
    ) -> Result<Response<wire::WithdrawHelpDocumentsResponse>, Status> {
        let ids = request.into_inner().ids;
        let withdrawn_ids = self.withdraw(EntryKind::HelpDocument, &ids).await?;
        Ok(Response::new(wire::WithdrawHelpDocumentsResponse { withdrawn_ids }))
    }
}
