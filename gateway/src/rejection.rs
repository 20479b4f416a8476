//! Rejects a request before its handler, in the form that its path has.

use axum::{body::Body, response::Response};
use http::{Method, StatusCode, request::Parts};
use sahm_proto::config::v1::Switch;

use crate::{
    context::RequestContext,
    http::error_response::{text, unavailable},
    page_handler::is_data,
    resolve::visitor,
    state::{API_PREFIX, Shared},
    switches,
};

/// Why a request is rejected before its handler.
pub(crate) enum Rejection {
    /// Its head is invalid: the status and the reason.
    InvalidHead(StatusCode, &'static str),
    Overloaded,
}

impl Shared {
    /// Rejects a request in the form that its path has: JSON of the API, an error page, or a line of text.
    pub(crate) fn reject(
        &self,
        parts: &Parts,
        context: &RequestContext,
        rejection: Rejection,
    ) -> Response<Body> {
        let is_api = parts.uri.path().starts_with(API_PREFIX);
        match rejection {
            Rejection::InvalidHead(status, reason) if is_api => {
                self.api.refuse(parts, status, reason)
            }
            Rejection::InvalidHead(status, reason) => {
                self.page_or_text(parts, context, text(status, reason), None)
            }
            Rejection::Overloaded if is_api => self.api.busy(parts),
            Rejection::Overloaded => self.page_or_text(parts, context, unavailable(), None),
        }
    }

    /// An error page where a page was requested, else the error itself. The page tells the message of `switch`.
    pub(crate) fn page_or_text(
        &self,
        parts: &Parts,
        context: &RequestContext,
        error: Response<Body>,
        switch: Option<&Switch>,
    ) -> Response<Body> {
        let path = parts.uri.path();
        let is_page = matches!(parts.method, Method::GET | Method::HEAD)
            && !(self.proxy.has(path) || is_data(path) || self.files.has(path));
        if !is_page {
            return error;
        }
        let visitor = visitor(path, parts.uri.query().unwrap_or_default(), &context.profile);
        let message = switch.map(|switch| switches::message(switch, visitor.locale));
        let mut response = self.error_page(parts, visitor, &error, message);
        self.protection.protect(response.headers_mut());
        response
    }
}
