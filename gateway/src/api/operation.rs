//! The operations of the API: a method of a path, its policy and what serves it.

use http::Method;

use super::{envelope::Failure, policy::Policy};
use crate::{grpc_reflection_client::Rpc, http_metrics::RouteLabel};

/// How an operation is served.
#[derive(Debug)]
pub(super) enum Handler {
    /// After its whole body was read.
    Buffered(BufferedCall),
    /// `SubmitFeedback`: the body is a multipart form that is forwarded while it arrives.
    FeedbackUpload(Rpc),
}

/// What serves an operation whose body was read.
#[derive(Debug)]
pub(super) enum BufferedCall {
    /// An rpc with one request and one response.
    Unary(Rpc),
    /// `StreamQuotes`, as server-sent events.
    QuoteStream(Rpc),
    /// The gateway: takes reports of browsers.
    ClientErrors,
    /// The gateway: the description of all operations.
    OpenApi,
}

/// A method of a path.
#[derive(Debug)]
pub(super) struct Operation {
    /// The path template, also the name in logs: `/api/help/rest/doc/{id}/contentV2`.
    pub(super) template: String,
    /// How the gateway treats requests for it.
    pub(super) policy: Policy,
    pub(super) handler: Handler,
}

/// The operations of one path.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// The path template.
    pub(super) template: String,
    /// GET and HEAD.
    pub(super) get: Option<Operation>,
    /// POST.
    pub(super) post: Option<Operation>,
}

impl Endpoint {
    /// The route in metrics and traces.
    pub(super) fn label(&self) -> RouteLabel {
        RouteLabel::of(&*self.template)
    }

    /// The operation of a method.
    ///
    /// # Errors
    /// 405 with the methods that the path has.
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
