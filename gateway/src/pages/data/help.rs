//! The help centre and legal documents.

use sahm_chassis::error::{ErrorCode, Result};
use sahm_proto::{
    Localize,
    content::v1::{
        GetHelpBreadcrumbRequest, GetHelpChannelRequest, GetHelpChannelResponse,
        GetHelpChannelTreeRequest, GetHelpClassificationRequest, GetHelpClassificationResponse,
        GetHelpDocumentRequest, GetHelpSeoInfoRequest, GetHelpSeoInfoResponse, HelpChannelNode,
        HelpDocument, HelpDocumentSummary, HelpStep, ListCommonQuestionsRequest,
        ListCommonQuestionsResponse, ListLegalDocumentsRequest, SearchHelpRequest,
        SearchHelpResponse,
    },
    tags,
};

use super::{ItemKind, LoadContext, LoadError, never};
use crate::{
    pages::{links::localize_links, parameters::Name},
    services::{Services, reading},
};

/// Number of common questions on the start page and beside a search.
const QUESTIONS_SIZE: u32 = 8;

/// Number of related documents below a document.
const RELATED_SIZE: u32 = 6;

impl LoadContext<'_> {
    pub(crate) async fn help_classification(&self) -> Result<GetHelpClassificationResponse> {
        let request = GetHelpClassificationRequest { locale: self.locale_name() };
        let mut help = self.data.services.help()?;
        let call = help.get_help_classification(request);
        let tags = [tags::HELP_CHANNELS, tags::HELP_DOCUMENTS];
        self.read(tags, |response| response.next_change_at, call).await
    }

    pub(crate) async fn search_help(
        &self,
        keyword: &str,
        size: u32,
        cursor: String,
    ) -> Result<SearchHelpResponse> {
        let (keyword, locale) = (keyword.to_owned(), self.locale_name());
        let request = SearchHelpRequest { keyword, locale, size, cursor };
        let mut help = self.data.services.help()?;
        let tags = [tags::HELP_CHANNELS, tags::HELP_DOCUMENTS];
        self.read(tags, never, help.search_help(request)).await
    }

    pub(crate) async fn common_questions(&self) -> Result<Vec<HelpDocumentSummary>> {
        let request = ListCommonQuestionsRequest {
            locale: self.locale_name(),
            size: QUESTIONS_SIZE,
            cursor: String::new(),
        };
        let read = |services: Services| async move {
            reading(services.help()?.list_common_questions(request)).await
        };
        let (tags, cache) = ([tags::HELP_DOCUMENTS], &self.data.caches.common_questions);
        let expires_at = |list: &ListCommonQuestionsResponse| list.next_change_at;
        let list = self.read_cached(tags, expires_at, cache, self.locale(), read).await?;
        Ok(list.items.clone())
    }

    pub(crate) async fn channel_tree(&self) -> Result<Vec<HelpChannelNode>> {
        let read = |services: Services| async move {
            let request = GetHelpChannelTreeRequest {};
            Ok(reading(services.help()?.get_help_channel_tree(request)).await?.items)
        };
        let (tags, cache) = ([tags::HELP_CHANNELS], &self.data.caches.channel_tree);
        Ok(self.read_cached(tags, never, cache, (), read).await?.to_vec())
    }

    /// A channel with a page of its documents; the channel is absent if it does not exist.
    pub(crate) async fn channel(
        &self,
        name: &Name,
        size: u32,
        cursor: String,
    ) -> Result<GetHelpChannelResponse> {
        let (channel_id, locale) = (name.text(), self.locale_name());
        let request = GetHelpChannelRequest { channel_id, locale, size, cursor };
        let mut help = self.data.services.help()?;
        let by_name = name.id().map(tags::help_channel);
        let tags = by_name.into_iter().chain([tags::HELP_CHANNELS.to_owned()]);
        let call = help.get_help_channel(request);
        let response = match self.read(tags, |channel| channel.next_change_at, call).await {
            Err(error) if error.code() == ErrorCode::DocumentNotFound => Default::default(),
            response => response?,
        };
        self.tag(response.channel.as_ref().map(|channel| tags::help_channel(channel.id)));
        Ok(response)
    }

    /// Other documents of a document's channel.
    pub(crate) async fn related_documents(
        &self,
        document: &HelpDocument,
    ) -> Result<Vec<HelpDocumentSummary>> {
        if document.channel_id == 0 {
            return Ok(Vec::new());
        }
        let channel = Name::Id(document.channel_id);
        let response = self.channel(&channel, RELATED_SIZE + 1, String::new()).await?;
        let others = response.documents.into_iter().filter(|other| other.id != document.id);
        Ok(others.take(RELATED_SIZE as usize).collect())
    }

    /// A help or legal document, with localised links.
    pub(crate) async fn help_document(&self, name: &Name) -> Result<HelpDocument, LoadError> {
        let request = GetHelpDocumentRequest {
            id: name.text(),
            locale: self.locale_name(),
            channel_id: String::new(),
        };
        let mut help = self.data.services.help()?;
        let tags = name.id().map(tags::help_document);
        let call = help.get_help_document(request);
        let document = match self.read(tags, |response| response.next_change_at, call).await {
            Err(error) if error.code() == ErrorCode::DocumentNotFound => None,
            response => response?.document,
        };
        let Some(mut document) = document else {
            if name.id().is_none() {
                self.tag([tags::HELP_DOCUMENTS, tags::HELP_LEGAL]);
            }
            return Err(LoadError::Missing(ItemKind::Document));
        };
        self.tag([tags::help_document(document.id)]);
        document.body_html = localize_links(&document.body_html, self.locale());
        Ok(document)
    }

    /// The breadcrumb of a document.
    pub(crate) async fn help_breadcrumb(&self, document: &HelpDocument) -> Result<Vec<HelpStep>> {
        let (id, locale) = (document.id.to_string(), self.locale_name());
        let mut help = self.data.services.help()?;
        let call = help.get_help_breadcrumb(GetHelpBreadcrumbRequest { id, locale });
        let tags = [tags::help_document(document.id), tags::HELP_CHANNELS.to_owned()];
        Ok(self.read(tags, never, call).await?.items)
    }

    /// All legal documents in the page's locale.
    pub(crate) async fn legal_documents(&self) -> Result<Vec<HelpDocumentSummary>> {
        let mut help = self.data.services.help()?;
        let call =
            help.list_legal_documents(ListLegalDocumentsRequest { locale: self.locale_name() });
        Ok(self.read([tags::HELP_LEGAL], |list| list.next_change_at, call).await?.items)
    }

    /// Title and description of a page in its locale; empty if content has none, as for most pages.
    pub(crate) async fn help_seo(&self, path: &str) -> GetHelpSeoInfoResponse {
        let request = GetHelpSeoInfoRequest { path: path.to_owned() };
        let read = |services: Services| async move {
            match reading(services.help()?.get_help_seo_info(request)).await {
                Ok(info) => Ok(Some(info)),
                Err(error) if error.code() == ErrorCode::DocumentNotFound => Ok(None),
                Err(error) => Err(error),
            }
        };
        let (tags, cache) = ([tags::HELP_SEO], &self.data.caches.help_seo);
        let info = self.read_cached(tags, never, cache, path.to_owned(), read).await;
        let info = self.optional("seo", info).and_then(|info| (*info).clone());
        let mut info = info.unwrap_or_default();
        info.localize(self.locale());
        info
    }
}
