//! Builds a page: loads its page data, renders it, and writes the HTML around it. If a required part is unavailable,
//! builds an error page or a shell instead, which is never stored.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, StatusCode};
use sahm_chassis::error::{Error, ErrorCode};
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
    page_cache::{EntryKind, Kind, OriginResponse, compress},
    pages::{LoadedPage, Loaders, PageRequest},
    visitor::{Locale, Visitor},
};

pub(super) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");
const UNAVAILABLE: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

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

    /// Builds a page. With an encoding, its render is memoised by content, in that encoding: for pages of cacheable
    /// routes that are not stored themselves, such as searches.
    pub(crate) async fn page(
        &self,
        request: &PageRequest,
        memoised: Option<ContentEncoding>,
    ) -> OriginResponse {
        let loaded = match self.loaders.load(request).await {
            Ok(loaded) => loaded,
            Err(error) => return self.not_loaded(request, &error).await,
        };
        let body = match memoised {
            Some(coding) => self.memoised_render(request, &loaded, coding).await,
            None => self.render(request, &loaded).await.map(Bytes::from),
        };
        match body {
            Ok(body) => OriginResponse {
                coding: memoised.unwrap_or(ContentEncoding::Identity),
                ..response(&loaded, body, HTML)
            },
            Err(error) => self.unrendered(request, &loaded, &error),
        }
    }

    /// The error page of a page that failed to load.
    async fn not_loaded(&self, request: &PageRequest, error: &Error) -> OriginResponse {
        let loaded = self.error(request, error);
        match self.render(request, &loaded).await {
            Ok(html) => response(&loaded, html.into(), HTML),
            Err(_) => self.error_page(request.visitor, UNAVAILABLE, None),
        }
    }

    /// The page as a shell, for the browser to render.
    pub(crate) async fn shell(&self, request: &PageRequest) -> OriginResponse {
        match self.loaders.load(request).await {
            Ok(loaded) => self.build_shell(request, &loaded),
            Err(error) => {
                log(&error);
                self.error_page(request.visitor, UNAVAILABLE, None)
            }
        }
    }

    /// The page data, as a response of `/_data`.
    pub(crate) async fn data(&self, request: &PageRequest, kind: Kind) -> OriginResponse {
        match self.loaders.load(request).await {
            Ok(mut loaded) => {
                if kind == Kind::DataWithoutLayout {
                    loaded.document.remove_layout_data();
                }
                self.document_of(request, &loaded)
            }
            Err(error) => self.document_of(request, &self.error(request, &error)),
        }
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
                self.error_page(request.visitor, UNAVAILABLE, None)
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

    /// The shell of a page that failed to render; 503 if the renderer's queue is full.
    fn unrendered(
        &self,
        request: &PageRequest,
        loaded: &LoadedPage,
        error: &RenderError,
    ) -> OriginResponse {
        tracing::error!(page = loaded.page, %error, "page not rendered");
        if matches!(error, RenderError::Busy) {
            return self.error_page(request.visitor, UNAVAILABLE, None);
        }
        self.build_shell(request, loaded)
    }

    fn build_shell(&self, request: &PageRequest, loaded: &LoadedPage) -> OriginResponse {
        match self.payload(request, loaded.page, &loaded.document, true) {
            Ok(payload) => {
                let html =
                    self.html(request, loaded.page, loaded.document.frame(), &payload).shell();
                uncacheable(loaded, html.into(), HTML)
            }
            Err(_) => self.error_page(request.visitor, UNAVAILABLE, None),
        }
    }

    fn error(&self, request: &PageRequest, error: &Error) -> LoadedPage {
        log(error);
        let status = match error.code() {
            ErrorCode::Unavailable | ErrorCode::Timeout | ErrorCode::TooMany => 503,
            _ => 500,
        };
        self.loaders.error(request, status)
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

fn log(error: &Error) {
    tracing::error!(code = error.code().name(), error = ?error, "page data not loaded");
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
