//! Pages for members (docs/members-pages.md). Members share a body that is built from the page data of visitors and the
//! state of the account; the member's own values are appended to it.
//!
//! Only [`MemberValues`] holds values of one member. It is created after the shared body and reaches neither the
//! renderer nor the memo.

use std::sync::Arc;

use bytes::Bytes;
use sahm_proto::{
    config::v1::ConfigItem,
    page::v1::{Frame, Member},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    PageBuilder,
    client::RenderError,
    html::{BODY_END, script_json},
    hydration,
    memo::RenderKey,
    page_builder::{HTML, JSON},
};
use crate::{
    content_encoding::ContentEncoding,
    page_cache::{
        AppendableBody, EntryKind, Kind, OriginError, OriginResponse, PageCache, ServedPage,
    },
    pages::PageRequest,
};

/// The state of an account, one of three, and the addresses of members' links. Holds no values of one member.
struct Account {
    opened: bool,
    opened_saudi: bool,
    addresses: Vec<ConfigItem>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberValues<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    hs_no: &'a str,
    /// Decimal text, as canonical JSON encodes 64-bit integers.
    mid: String,
}

/// A body without the member's values.
enum SharedBody {
    /// Compressed; a tail completes it.
    Memoised(Arc<AppendableBody>),
    Plain(String),
}

/// Page data that members share: that of visitors, with the account in its frame.
#[derive(Deserialize)]
struct SharedData {
    page: String,
    document: Value,
}

/// A page or its data, as members with the same account share it.
struct SharedPage<'a> {
    builder: &'a PageBuilder,
    request: &'a PageRequest,
    kind: Kind,
    data: &'a ServedPage,
    account: Account,
}

impl PageBuilder {
    /// Builds a member's page, or its data, from the page data of visitors, which is stored if `is_storable`. The body
    /// is in `coding` if the shared body is memoised, otherwise uncompressed.
    ///
    /// # Errors
    /// The page data cannot be loaded.
    pub(crate) async fn member_page(
        &self,
        cache: &PageCache,
        request: &PageRequest,
        kind: Kind,
        is_storable: bool,
        member: &Member,
        coding: ContentEncoding,
    ) -> Result<OriginResponse, OriginError> {
        let data = &if is_storable {
            let origin = self.origin(request, Kind::Data);
            cache.fetch(&request.key(Kind::Data), origin).await?
        } else {
            cache.uncached(self.data(request, Kind::Data).await)
        };
        let account = Account {
            opened: member.opened,
            opened_saudi: member.opened_saudi,
            addresses: self.loaders.data.member_addresses().await,
        };
        let page = SharedPage { builder: self, request, kind, data, account };
        let shared = match data.entry.kind {
            EntryKind::Uncacheable => page.body().await.map(SharedBody::Plain),
            _ => {
                let render = async {
                    let compressed = AppendableBody::compress(page.body().await?.into()).await;
                    compressed.map(Arc::new).ok_or(RenderError::Busy)
                };
                self.renders
                    .get_or_render(&self.renders.members, &page.key(), render)
                    .await
                    .map(SharedBody::Memoised)
            }
        };
        let shell = |error| page.shell(&error).map(SharedBody::Plain);
        let Some(shared) = shared.map_or_else(shell, Some) else {
            return Ok(self.unavailable(request.visitor));
        };
        let tail = tail(kind, &MemberValues { hs_no: &member.hs_no, mid: member.mid.to_string() });
        let (body, coding) = match shared {
            SharedBody::Memoised(shared) => (shared.with_tail(coding, tail.as_bytes()), coding),
            SharedBody::Plain(shared) => (Bytes::from(shared + &tail), ContentEncoding::Identity),
        };
        let content_type = if kind == Kind::Page { HTML } else { JSON };
        let page = OriginResponse::uncacheable(data.entry.status, body, content_type);
        Ok(OriginResponse { coding, ..page })
    }
}

impl SharedPage<'_> {
    /// The hash of everything that the shared body depends on. The page data is represented by the SHA-256 of its cache
    /// entry.
    fn key(&self) -> RenderKey {
        let Self { builder, request, account, .. } = self;
        let visitor = &request.visitor;
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        };
        add(builder.build().as_bytes());
        add(&[
            self.kind as u8,
            builder.production.into(),
            account.opened.into(),
            account.opened_saudi.into(),
        ]);
        add(&self.data.entry.hash);
        for part in [
            visitor.locale.as_str(),
            visitor.platform.as_str(),
            visitor.theme.as_str(),
            &request.url,
        ] {
            add(part.as_bytes());
        }
        for ConfigItem { key, value, .. } in &account.addresses {
            add(key.as_bytes());
            add(value.as_bytes());
        }
        hash.finalize().into()
    }

    /// Renders the body that members share, without its end.
    async fn body(&self) -> Result<String, RenderError> {
        let Self { builder, request, .. } = self;
        let SharedData { page, document } = &self.shared_data()?;
        if self.kind == Kind::Data {
            let data = hydration::Data { build: builder.build(), page, document };
            let mut json = serde_json::to_string(&data).map_err(RenderError::invalid_data)?;
            json.truncate(json.len().saturating_sub("}".len()));
            return Ok(json);
        }
        let payload = builder.payload(request, page, document, false)?;
        let root = builder.renderer.render(Bytes::from(payload.clone())).await?;
        Ok(builder.html(request, page, &frame_of(document)?, &payload).open(&root))
    }

    /// The shell of a page that failed to render; `None` if the renderer's queue is full, and for page data.
    fn shell(&self, error: &RenderError) -> Option<String> {
        tracing::error!(%error, "member's page not rendered");
        if matches!(error, RenderError::Busy) {
            return None;
        }
        let SharedData { page, document } = &self.shared_data().ok()?;
        let payload = self.builder.payload(self.request, page, document, true).ok()?;
        let frame = frame_of(document).ok()?;
        Some(self.builder.html(self.request, page, &frame, &payload).open_shell())
    }

    fn shared_data(&self) -> Result<SharedData, RenderError> {
        let unreadable_data = || RenderError::Unavailable("page data cannot be read".to_owned());
        let body = self.data.identity_body().ok_or_else(unreadable_data)?;
        let mut shared: SharedData =
            serde_json::from_slice(&body).map_err(RenderError::invalid_data)?;
        let member = Member {
            opened: self.account.opened,
            opened_saudi: self.account.opened_saudi,
            addresses: self.account.addresses.clone(),
            ..Member::default()
        };
        let frame = shared.document.get_mut("frame").and_then(Value::as_object_mut);
        let member = serde_json::to_value(&member).map_err(RenderError::invalid_data)?;
        frame.ok_or_else(unreadable_data)?.insert("member".to_owned(), member);
        Ok(shared)
    }
}

fn frame_of(document: &Value) -> Result<Frame, RenderError> {
    document.get("frame").map_or_else(
        || Ok(Frame::default()),
        |frame| Frame::deserialize(frame).map_err(RenderError::invalid_data),
    )
}

/// The end of a body, with the member's values.
fn tail(kind: Kind, values: &MemberValues<'_>) -> String {
    // Serialising strings cannot fail.
    let json = serde_json::to_string(values).unwrap_or_default();
    match kind {
        Kind::Page => format!(
            "<script type=\"application/json\" id=\"sahm-member\">{}</script>\n{BODY_END}",
            script_json(&json)
        ),
        Kind::Data | Kind::DataWithoutLayout => format!(",\"member\":{json}}}"),
    }
}

#[cfg(test)]
#[path = "member_page_tests.rs"]
mod tests;
