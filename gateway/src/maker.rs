//! Making a page: load its document, render it, put the HTML around it. Where a part that it
//! cannot do without is away, what is made instead says so and is kept nowhere.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, StatusCode};
use sahm_chassis::error::{Error, ErrorCode};

use crate::{
    document::{Document, unavailable},
    page_cache::{EntryKind, OriginResponse},
    pages::{Loaded, Loaders, PageRequest},
    payload,
    renderer::{RenderError, Renderer},
    visitor::Visitor,
};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const UNAVAILABLE: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

/// Makes pages and their data.
#[derive(Clone)]
pub(crate) struct Maker {
    loaders: Arc<Loaders>,
    renderer: Renderer,
    production: bool,
}

impl Maker {
    /// A maker over loaders and a renderer.
    pub(crate) fn new(loaders: Loaders, renderer: Renderer, production: bool) -> Self {
        Self { loaders: Arc::new(loaders), renderer, production }
    }

    /// The build whose pages are made.
    pub(crate) fn build(&self) -> &str {
        &self.loaders.site.build
    }

    /// The request without what does not exist (see [`Loaders::resolve`]).
    pub(crate) async fn resolve(&self, request: PageRequest) -> PageRequest {
        self.loaders.resolve(request).await
    }

    /// The HTML of a page.
    pub(crate) async fn page(&self, request: &PageRequest) -> OriginResponse {
        match self.loaders.load(request).await {
            Ok(loaded) => match self.render(request, &loaded).await {
                Ok(html) => made(&loaded, html.into(), HTML),
                Err(error) => self.unrendered(request, &loaded, &error),
            },
            Err(error) => {
                let loaded = self.error(request, &error);
                match self.render(request, &loaded).await {
                    Ok(html) => unkept(&loaded, html.into(), HTML),
                    Err(_) => self.last_resort(request.visitor, UNAVAILABLE),
                }
            }
        }
    }

    /// The same page without asking the renderer: for the browser to render.
    pub(crate) async fn shell(&self, request: &PageRequest) -> OriginResponse {
        match self.loaders.load(request).await {
            Ok(loaded) => self.left_to_the_browser(request, &loaded),
            Err(error) => {
                log(&error);
                self.last_resort(request.visitor, UNAVAILABLE)
            }
        }
    }

    /// The document of a page, as `/_data` answers it.
    pub(crate) async fn data(&self, request: &PageRequest) -> OriginResponse {
        match self.loaders.load(request).await {
            Ok(loaded) => self.document_of(request, &loaded, made),
            Err(error) => self.document_of(request, &self.error(request, &error), unkept),
        }
    }

    /// The document that takes the place of one that was not made in time; needs nothing.
    pub(crate) fn no_data(&self, request: &PageRequest) -> OriginResponse {
        self.document_of(request, &self.loaders.error(request, 503), unkept)
    }

    fn document_of(
        &self,
        request: &PageRequest,
        loaded: &Loaded,
        made: impl FnOnce(&Loaded, Bytes, HeaderValue) -> OriginResponse,
    ) -> OriginResponse {
        match payload::data(self.build(), loaded) {
            Ok(json) => made(loaded, json.into(), JSON),
            Err(error) => {
                tracing::error!(%error, "document not serialised");
                self.last_resort(request.visitor, UNAVAILABLE)
            }
        }
    }

    async fn render(&self, request: &PageRequest, loaded: &Loaded) -> Result<String, RenderError> {
        let payload = payload::page(self.build(), request, loaded, false, self.production)
            .map_err(|error| RenderError::Away(error.to_string()))?;
        let root = self.renderer.render(Bytes::from(payload.clone())).await?;
        Ok(self.document(request, loaded, &payload).rendered(&root))
    }

    fn document<'a>(
        &'a self,
        request: &PageRequest,
        loaded: &'a Loaded,
        payload: &'a str,
    ) -> Document<'a> {
        Document {
            site: &self.loaders.site,
            visitor: request.visitor,
            page: loaded.page,
            frame: loaded.document.frame(),
            payload,
        }
    }

    /// A page that was not rendered, as a shell; a full queue asks to try again instead.
    fn unrendered(
        &self,
        request: &PageRequest,
        loaded: &Loaded,
        error: &RenderError,
    ) -> OriginResponse {
        tracing::error!(page = loaded.page, %error, "page not rendered");
        if matches!(error, RenderError::Busy) {
            return self.last_resort(request.visitor, UNAVAILABLE);
        }
        self.left_to_the_browser(request, loaded)
    }

    fn left_to_the_browser(&self, request: &PageRequest, loaded: &Loaded) -> OriginResponse {
        match payload::page(self.build(), request, loaded, true, self.production) {
            Ok(payload) => {
                let html = self.document(request, loaded, &payload).shell();
                unkept(loaded, html.into(), HTML)
            }
            Err(_) => self.last_resort(request.visitor, UNAVAILABLE),
        }
    }

    fn error(&self, request: &PageRequest, error: &Error) -> Loaded {
        log(error);
        let status = match error.code() {
            ErrorCode::Unavailable | ErrorCode::Timeout | ErrorCode::TooMany => 503,
            _ => 500,
        };
        self.loaders.error(request, status)
    }

    /// A page that needs nothing, under the status that says why there is no other.
    pub(crate) fn last_resort(&self, visitor: Visitor, status: StatusCode) -> OriginResponse {
        OriginResponse {
            status,
            body: unavailable(&self.loaders.site, visitor).into(),
            content_type: HTML,
            tags: Vec::new(),
            kind: EntryKind::Uncacheable,
            expires_at: None,
            read_at: Vec::new(),
        }
    }
}

fn log(error: &Error) {
    tracing::error!(code = error.code().name(), error = ?error, "page data not loaded");
}

fn made(loaded: &Loaded, body: Bytes, content_type: HeaderValue) -> OriginResponse {
    let kind = match (loaded.status, loaded.partial) {
        (404, _) => EntryKind::NotFound,
        (_, true) => EntryKind::Partial,
        (_, false) => EntryKind::Complete,
    };
    OriginResponse { kind, ..unkept(loaded, body, content_type) }
}

fn unkept(loaded: &Loaded, body: Bytes, content_type: HeaderValue) -> OriginResponse {
    OriginResponse {
        status: StatusCode::from_u16(loaded.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        body,
        content_type,
        tags: loaded.tags.clone(),
        kind: EntryKind::Uncacheable,
        expires_at: loaded.expires_at,
        read_at: Vec::new(),
    }
}
