//! Drafts. Their pages are not cached: drafts have no tags.

use sahm_chassis::error::{ErrorCode, Result};
use sahm_proto::content::v1::{DraftSummary, GetDraftRequest, GetDraftResponse, ListDraftsRequest};

use super::{ItemKind, LoadContext, LoadError, NO_TAGS, never};

impl LoadContext<'_> {
    pub(crate) async fn drafts(&self, draft_type: &str) -> Result<Vec<DraftSummary>> {
        let request = ListDraftsRequest {
            r#type: draft_type.to_owned(),
            locale: self.locale_name(),
            ..ListDraftsRequest::default()
        };
        let mut drafts = self.data.services.drafts()?;
        Ok(self.read(NO_TAGS, never, drafts.list_drafts(request)).await?.items)
    }

    /// A draft; without an id, the newest draft of its type, if any.
    pub(crate) async fn draft(
        &self,
        draft_type: &str,
        id: &str,
    ) -> Result<GetDraftResponse, LoadError> {
        let request = GetDraftRequest {
            r#type: draft_type.to_owned(),
            id: id.to_owned(),
            locale: self.locale_name(),
        };
        let mut drafts = self.data.services.drafts()?;
        match self.read(NO_TAGS, never, drafts.get_draft(request)).await {
            Err(error) if error.code() == ErrorCode::NotFound && id.is_empty() => {
                Ok(GetDraftResponse::default())
            }
            Err(error) if error.code() == ErrorCode::NotFound => {
                Err(LoadError::Missing(ItemKind::Page))
            }
            response => Ok(response?),
        }
    }
}
