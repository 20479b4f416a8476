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
    html::{HtmlPage, unavailable},
    hydration,
    memo::RenderMemo,
};
use crate::{
    content_encoding::ContentEncoding,
    page_cache::{EntryKind, FillContext, Kind, OriginError, OriginResponse, compress},
    pages::{LoadedPage, Loaders, PageRequest},
    site::ERROR_PAGE,
    visitor::{Locale, Visitor},
};

pub(super) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

#[derive(Clone)]
pub(crate) struct PageBuilder {
    pub(super) loaders: Arc<Loaders>,
    pub(super) renderer: Renderer,
    /// Memoised renders of members' and unstored pages.
    pub(super) renders: RenderMemo,
    pub(super) production: bool,
}

impl PageBuilder {
    pub(crate) fn new(
        loaders: Loaders,
        renderer: Renderer,
        renders: RenderMemo,
        production: bool,
    ) -> Self {
        Self { loaders: Arc::new(loaders), renderer, renders, production }
    }

    /// The frontend's build.
    pub(crate) fn build(&self) -> &str {
        &self.loaders.site.build
    }

    /// Whether this is the version of the locale's current layout data.
    pub(crate) fn is_current_layout(&self, locale: Locale, version: &[u8]) -> bool {
        self.loaders.data.layouts.is_current(locale, version)
    }

    /// See [`Loaders::resolve`].
    pub(crate) async fn resolve(&self, request: PageRequest) -> PageRequest {
        self.loaders.resolve(request).await
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
        let body = match memoised {
            Some(coding) => self.memoised_render(request, &loaded, coding).await,
            None => self.render(request, &loaded).await.map(Bytes::from),
        };
        match body {
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
        if kind == Kind::DataWithoutLayout {
            loaded.document.remove_layout_data();
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
    ) -> Result<String, RenderError> {
        let payload = self.payload(request, loaded.page, &loaded.document, false)?;
        self.render_payload(request, loaded, payload).await
    }

    async fn memoised_render(
        &self,
        request: &PageRequest,
        loaded: &LoadedPage,
        coding: ContentEncoding,
    ) -> Result<Bytes, RenderError> {
        let payload = self.payload(request, loaded.page, &loaded.document, false)?;
        // The payload is everything that the page depends on.
        let key = Sha256::new().chain_update([coding as u8]).chain_update(&payload).finalize();
        let render = async {
            let html = self.render_payload(request, loaded, payload).await?;
            compress::one(html.into(), coding).await.ok_or(RenderError::Busy)
        };
        self.renders.get_or_render_unstored(&key.into(), render).await
    }

    async fn render_payload(
        &self,
        request: &PageRequest,
        loaded: &LoadedPage,
        payload: String,
    ) -> Result<String, RenderError> {
        let root = self.renderer.render(Bytes::from(payload.clone())).await?;
        Ok(self.html(request, loaded.page, loaded.document.frame(), &payload).rendered(&root))
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
                uncacheable(loaded, html.shell().into(), HTML)
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
