//! The only fast path: hits of the page cache. A URL that was resolved before is cached with its key, so a hit costs
//! two lookups and a copied head: no URL resolution, no router, no rpc, no span, and one log line for many hits.
//! `make bench` compares it with a server that does nothing else.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    pin::Pin,
    task::{Context, Poll},
};

use axum::{body::Body, response::Response};
use futures_util::future::Either;
use http::Request;
use tower::Service;

use super::admission::head_error;
use crate::{cdn, client_address::ClientAddress, context::RequestContext, state::AppState};

/// The outermost service: serves hits of the page cache, and adds a [`RequestContext`] to any other request.
#[derive(Clone)]
pub(crate) struct FastPath<S> {
    app: AppState,
    inner: S,
}

impl<S> FastPath<S> {
    pub(crate) fn new(app: AppState, inner: S) -> Self {
        Self { app, inner }
    }
}

impl<S, B> Service<Request<B>> for FastPath<S>
where
    S: Service<Request<B>, Response = Response, Error = Infallible>,
{
    type Response = Response;
    type Error = Infallible;
    /// Boxed except for hits, because the server reserves its space for the whole connection.
    type Future = Either<Ready<Result<Response, Infallible>>, Pin<Box<S::Future>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let context = RequestContext::new(&request, &self.app.settings);
        if let Some(response) = respond_hit(&self.app, &request, &context) {
            return Either::Left(ready(Ok(response)));
        }
        let extensions = request.extensions_mut();
        extensions.insert(context);
        extensions.insert(ClientAddress(context.client_address));
        Either::Right(Box::pin(self.inner.call(request)))
    }
}

/// The response to a hit of the page cache; `None` for any other request.
fn respond_hit<B>(
    app: &AppState,
    request: &Request<B>,
    context: &RequestContext,
) -> Option<Response> {
    if app.switches.is_in_maintenance() {
        return None;
    }
    let page = app.resolved_urls.get(request, &context.profile)?;
    if head_error(request).is_some() {
        return None;
    }
    let (method, headers) = (request.method(), request.headers());
    let page_headers = app.security_headers.headers();
    let scope =
        cdn::scope_of(&app.settings, request.uri(), headers, &context.profile, page.remember);
    let response = app.cache.respond_hit(&page.key, method, headers, page_headers, scope)?;
    let mut response = response.map(Body::from);
    app.add_visitor_headers(request.uri(), headers, page.remember, &mut response);
    app.resolved_urls.count();
    let (route, elapsed) = (page.route.clone(), context.started.elapsed());
    app.metrics.record(method, context.scheme, route, response.status(), elapsed);
    Some(response)
}
