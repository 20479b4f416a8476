//! The operations of the API: method and path, policy and handler.

use http::Method;

use super::{envelope::Failure, policy::Policy};
use crate::{dynamic_grpc_client::Rpc, http_metrics::RouteLabel};

#[derive(Debug)]
pub(super) enum Handler {
    /// The body is read before the call.
    Buffered(BufferedCall),
    /// `SubmitFeedback`: the body is a multipart form that is forwarded while it is received.
    FeedbackUpload(Rpc),
}

/// The handler of an operation, called once the body has been read.
#[derive(Debug)]
pub(super) enum BufferedCall {
    Unary(Rpc),
    /// `StreamQuotes`, as server-sent events.
    QuoteStream(Rpc),
    /// Error reports of browsers, handled by the gateway.
    ClientErrors,
    /// The OpenAPI description, handled by the gateway.
    OpenApi,
}

/// A method and a path of the API.
#[derive(Debug)]
pub(super) struct Operation {
    /// The path template, also used in logs: `/api/help/rest/doc/{id}/contentV2`.
    pub(super) template: String,
    pub(super) policy: Policy,
    pub(super) handler: Handler,
}

#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) template: String,
    /// GET and HEAD.
    pub(super) get: Option<Operation>,
    pub(super) post: Option<Operation>,
}

impl Endpoint {
    /// The route in metrics and traces.
    pub(super) fn label(&self) -> RouteLabel {
        RouteLabel::Pattern(self.template.as_str().into())
    }

    /// The operation of a method.
    ///
    /// # Errors
    /// 405 with the allowed methods.
    pub(super) fn operation(&self, method: &Method) -> Result<&Operation, Failure> {
        let operation = match *method {
            Method::GET | Method::HEAD => self.get.as_ref(),
            Method::POST => self.post.as_ref(),
            _ => None,
        };
        operation.ok_or_else(|| {
            Failure::method_not_allowed(match (&self.get, &self.post) {
                (Some(_), Some(_)) => "GET, HEAD, POST",
                (Some(_), None) => "GET, HEAD",
                (None, _) => "POST",
            })
        })
    }
}
