//! The help centre and legal documents.

use sahm_chassis::error::Result;
use sahm_proto::{
    Localize,
    content::v1::{
        GetHelpChannelRequest, GetHelpChannelResponse, GetHelpChannelTreeRequest,
        GetHelpDocumentRequest, GetHelpSeoInfoRequest, GetHelpSeoInfoResponse, HelpChannelNode,
        HelpDocument, HelpDocumentSummary, ListCommonQuestionsRequest, ListLegalDocumentsRequest,
    },
    tags,
};

use super::{ItemKind, LoadContext, LoadError};
use crate::pages::{links::localize_links, parameters::Name};

/// Number of common questions on the start page and beside a search.
const QUESTIONS_SIZE: u32 = 8;

/// Number of related documents below a document.
const RELATED_SIZE: u32 = 6;

impl LoadContext<'_> {
    pub(crate) async fn common_questions(&self) -> Result<Vec<HelpDocumentSummary>> {
        let (locale, cursor) = (self.locale_name(), String::new());
        let request = ListCommonQuestionsRequest { locale, size: QUESTIONS_SIZE, cursor };
        Ok(self.find_shared([tags::HELP_DOCUMENTS], request).await?.items.clone())
    }

    pub(crate) async fn channel_tree(&self) -> Result<Vec<HelpChannelNode>> {
        let request = GetHelpChannelTreeRequest {};
        Ok(self.find_shared([tags::HELP_CHANNELS], request).await?.items.clone())
    }

    /// A channel with a page of its documents; the channel is absent if it does not exist.
    pub(crate) async fn channel(
        &self,
        name: &Name,
        size: u32,
        cursor: String,
    ) -> Result<GetHelpChannelResponse> {
        let (channel_id, locale) = (name.text(), self.locale_name());
        let by_name = name.id().map(tags::help_channel);
        let tags = by_name.into_iter().chain([tags::HELP_CHANNELS.to_owned()]);
        let request = GetHelpChannelRequest { channel_id, locale, size, cursor };
        let response = self.find(tags, request).await?;
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
        let (id, locale) = (name.text(), self.locale_name());
        let request = GetHelpDocumentRequest { id, locale, channel_id: String::new() };
        let response = self.find(name.id().map(tags::help_document), request).await?;
        let Some(mut document) = response.document else {
            if name.id().is_none() {
                self.tag([tags::HELP_DOCUMENTS, tags::HELP_LEGAL]);
            }
            return Err(LoadError::Missing(ItemKind::Document));
        };
        self.tag([tags::help_document(document.id)]);
        document.body_html = localize_links(&document.body_html, self.locale());
        Ok(document)
    }

    /// All legal documents in the page's locale.
    pub(crate) async fn legal_documents(&self) -> Result<Vec<HelpDocumentSummary>> {
        let request = ListLegalDocumentsRequest { locale: self.locale_name() };
        Ok(self.read([tags::HELP_LEGAL], request).await?.items)
    }

    /// Title and description of a page in its locale; empty if content has none, as for most pages.
    pub(crate) async fn help_seo(&self, path: &str) -> GetHelpSeoInfoResponse {
        let request = GetHelpSeoInfoRequest { path: path.to_owned() };
        self.tag([tags::HELP_SEO]);
        let info = self.data.help_seo.read(&self.data.services, request, |_| 0).await;
        let mut info =
            self.optional("seo", info).map_or_else(Default::default, |info| (*info).clone());
        info.localize(self.locale());
        info
    }
}
