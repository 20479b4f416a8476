//! Builds a page: loads its page data, renders it, and writes the HTML around it. If a required part is unavailable,
//! builds an error page or a shell instead, which is never stored.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{FutureExt, future::BoxFuture};
use http::{HeaderValue, StatusCode};
use sahm_chassis::error::ErrorCode;
use sahm_proto::page::v1::Frame;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{
    client::{RenderError, Renderer},
    html::{BODY_END, HtmlPage, unavailable},
    hydration,
    memo::RenderMemo,
};
use crate::{
    content_encoding::ContentEncoding,
    page_cache::{EntryKind, FillContext, Kind, OriginError, OriginResponse, compress},
    pages::{LoadedPage, Loaders, PageRequest},
    site::ERROR_PAGE,
    visitor::Visitor,
};

pub(super) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

#[derive(Clone)]
pub(crate) struct PageBuilder {
    pub(crate) loaders: Arc<Loaders>,
    pub(super) renderer: Renderer,
    /// Memoised renders of members' and unstored pages.
    pub(super) renders: Arc<RenderMemo>,
    pub(super) production: bool,
}

impl PageBuilder {
    pub(crate) fn new(
        loaders: Loaders,
        renderer: Renderer,
        renders: Arc<RenderMemo>,
        production: bool,
    ) -> Self {
        Self { loaders: Arc::new(loaders), renderer, renders, production }
    }

    /// The frontend's build.
    pub(crate) fn build(&self) -> &str {
        &self.loaders.site.build
    }

    /// Loads and builds the pages, or the page data, of a request, for the page cache.
    pub(crate) fn origin(
        &self,
        request: &PageRequest,
        kind: Kind,
    ) -> impl Fn(FillContext) -> BoxFuture<'static, Result<OriginResponse, OriginError>> + use<>
    {
        let (builder, request) = (self.clone(), request.clone());
        move |fill| {
            let (builder, request) = (builder.clone(), request.clone());
            async move {
                Ok(match kind {
                    Kind::Page if fill.renders => builder.page(&request, None).await,
                    Kind::Page => builder.shell(&request, &builder.load(&request).await),
                    Kind::Data | Kind::DataWithoutLayout => builder.data(&request, kind).await,
                })
            }
            .boxed()
        }
    }

    /// Builds a page. With an encoding, its render is memoised by content, in that encoding: for pages of cacheable
    /// routes that are not stored themselves, such as searches. A page that fails to render becomes a shell, or 503 if
    /// the renderer's queue is full.
    pub(crate) async fn page(
        &self,
        request: &PageRequest,
        memoised: Option<ContentEncoding>,
    ) -> OriginResponse {
        let loaded = self.load(request).await;
        match self.render(request, &loaded, memoised).await {
            Ok(body) => OriginResponse {
                coding: memoised.unwrap_or(ContentEncoding::Identity),
                ..response(&loaded, body, HTML)
            },
            Err(error) => {
                tracing::error!(page = loaded.page, %error, "page not rendered");
                match error {
                    RenderError::Busy => self.unavailable(request.visitor),
                    _ => self.shell(request, &loaded),
                }
            }
        }
    }

    /// The page data, as a response of `/_data`.
    pub(crate) async fn data(&self, request: &PageRequest, kind: Kind) -> OriginResponse {
        let mut loaded = self.load(request).await;
        if let (Kind::DataWithoutLayout, Some(frame)) = (kind, loaded.document.frame_mut()) {
            frame.layout_data = None;
        }
        self.document_of(request, &loaded)
    }

    /// The page, or the error page if a required part is unavailable.
    async fn load(&self, request: &PageRequest) -> LoadedPage {
        self.loaders.load(request).await.unwrap_or_else(|error| {
            tracing::error!(code = error.code().name(), error = ?error, "page data not loaded");
            let status = match error.code() {
                ErrorCode::Unavailable | ErrorCode::Timeout | ErrorCode::TooMany => 503,
                _ => 500,
            };
            self.loaders.error(request, status)
        })
    }

    /// The page data of the error page; needs no service.
    pub(crate) fn no_data(&self, request: &PageRequest) -> OriginResponse {
        self.document_of(request, &self.loaders.error(request, 503))
    }

    fn document_of(&self, request: &PageRequest, loaded: &LoadedPage) -> OriginResponse {
        let LoadedPage { page, document, .. } = loaded;
        match serde_json::to_string(&hydration::Data { build: self.build(), page, document }) {
            Ok(json) => response(loaded, json.into(), JSON),
            Err(error) => {
                tracing::error!(%error, "page data not serialised");
                self.unavailable(request.visitor)
            }
        }
    }

    async fn render(
        &self,
        request: &PageRequest,
        loaded: &LoadedPage,
        memoised: Option<ContentEncoding>,
    ) -> Result<Bytes, RenderError> {
        let payload = self.payload(request, loaded.page, &loaded.document, false)?;
        let render = async {
            let root = self.renderer.render(Bytes::from(payload.clone())).await?;
            let html = self.html(request, loaded.page, loaded.document.frame(), &payload);
            Ok(Bytes::from(html.open(&root) + BODY_END))
        };
        let Some(coding) = memoised else { return render.await };
        // The payload is everything that the page depends on.
        let key = Sha256::new().chain_update([coding as u8]).chain_update(&payload).finalize();
        let render = async { compress::one(render.await?, coding).await.ok_or(RenderError::Busy) };
        self.renders.get_or_render(&self.renders.unstored, &key.into(), render).await
    }

    pub(super) fn payload(
        &self,
        request: &PageRequest,
        page: &str,
        document: &impl Serialize,
        shell: bool,
    ) -> Result<String, RenderError> {
        let payload = hydration::Page {
            build: self.build(),
            page,
            visitor: hydration::visitor(request.visitor),
            url: &request.url,
            document,
            shell,
            production: self.production,
        };
        serde_json::to_string(&payload).map_err(RenderError::invalid_data)
    }

    pub(super) fn html<'a>(
        &'a self,
        request: &PageRequest,
        page: &'a str,
        frame: &'a Frame,
        payload: &'a str,
    ) -> HtmlPage<'a> {
        HtmlPage { site: &self.loaders.site, visitor: request.visitor, page, frame, payload }
    }

    /// The page as a shell, for the browser to render. The error page is static instead.
    fn shell(&self, request: &PageRequest, loaded: &LoadedPage) -> OriginResponse {
        match self.payload(request, loaded.page, &loaded.document, true) {
            Ok(payload) if loaded.page != ERROR_PAGE => {
                let html = self.html(request, loaded.page, loaded.document.frame(), &payload);
                uncacheable(loaded, (html.open_shell() + BODY_END).into(), HTML)
            }
            _ => self.unavailable(request.visitor),
        }
    }

    /// The error page of a page that cannot be built.
    pub(crate) fn unavailable(&self, visitor: Visitor) -> OriginResponse {
        self.error_page(visitor, StatusCode::SERVICE_UNAVAILABLE, None)
    }

    /// The error page, without service or renderer. `message` replaces its standard text.
    pub(crate) fn error_page(
        &self,
        visitor: Visitor,
        status: StatusCode,
        message: Option<&str>,
    ) -> OriginResponse {
        let html = unavailable(&self.loaders.site, visitor, message);
        OriginResponse::uncacheable(status, html.into(), HTML)
    }
}

fn response(loaded: &LoadedPage, body: Bytes, content_type: HeaderValue) -> OriginResponse {
    let kind = match (loaded.status, loaded.meta.partial) {
        (404, _) => EntryKind::NotFound,
        (_, true) => EntryKind::Partial,
        (_, false) => EntryKind::Complete,
    };
    OriginResponse { kind, ..uncacheable(loaded, body, content_type) }
}

fn uncacheable(loaded: &LoadedPage, body: Bytes, content_type: HeaderValue) -> OriginResponse {
    let status = StatusCode::from_u16(loaded.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    OriginResponse {
        tags: loaded.meta.tags.clone(),
        expires_at: loaded.meta.expires_at,
        ..OriginResponse::uncacheable(status, body, content_type)
    }
}
