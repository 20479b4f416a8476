//! The REST router: maps paths to operations, from the `google.api.http` annotations of the protos.

use anyhow::{Context as _, bail, ensure};
use prost_reflect::{DescriptorPool, Kind, MessageDescriptor, MethodDescriptor};

use super::{
    client_errors, openapi,
    operation::{BufferedCall, Endpoint, Handler, Operation},
    policy::{Policy, message_option},
};
use crate::{dynamic_grpc_client::Rpc, limits::RateClass, path::percent_decoded};

/// The rpc of the event stream.
pub(super) const QUOTE_STREAM: &str = "sahm.quotes.v1.QuoteService.StreamQuotes";

/// The rpc of the multipart form.
pub(super) const FEEDBACK_UPLOAD: &str = "sahm.identity.v1.FeedbackService.SubmitFeedback";

#[derive(Debug)]
pub(super) struct Match<'a> {
    pub(super) endpoint: &'a Endpoint,
    /// Field name (as in the proto) and percent-decoded value of each parameter in the path.
    pub(super) path_values: Vec<(String, String)>,
}

#[derive(Debug, Default)]
pub(super) struct Router {
    /// Path templates with the indices of their endpoints.
    paths: matchit::Router<usize>,
    /// In the order of the protos.
    endpoints: Vec<Endpoint>,
}

impl Router {
    /// Reads the annotations of every service in the pool, and adds the gateway's own operations.
    ///
    /// # Errors
    /// An annotation that is not supported.
    pub(super) fn build(pool: &DescriptorPool) -> anyhow::Result<Self> {
        let mut router = Self::default();
        for method in pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
            router.add_rpc(pool, &method).with_context(|| method.full_name().to_owned())?;
        }
        let reports = Policy {
            max_body_bytes: client_errors::MAX_BODY_BYTES,
            ..Policy::new(RateClass::Events)
        };
        let reading = Policy::new(RateClass::Reading);
        for (has_body, path, policy, call) in [
            (true, client_errors::PATH, reports, BufferedCall::ClientErrors),
            (false, openapi::PATH, reading, BufferedCall::OpenApi),
        ] {
            let handler = Handler::Buffered(call);
            let operation = Operation { template: path.to_owned(), policy, handler };
            router.add(has_body, operation)?;
        }
        Ok(router)
    }

    fn add_rpc(&mut self, pool: &DescriptorPool, method: &MethodDescriptor) -> anyhow::Result<()> {
        let rule = message_option::<HttpRule>(pool, &method.options(), "google.api.http");
        let Some(rule) = rule else { return Ok(()) };
        let rules = [&rule].into_iter().chain(&rule.additional_bindings);
        let bindings = rules.map(HttpRule::binding).collect::<anyhow::Result<Vec<_>>>()?;
        let has_get = bindings.iter().any(|(has_body, _)| !has_body);
        for (has_body, template) in bindings {
            validate_template(template, &method.input())?;
            let template = template.to_owned();
            let policy = Policy::of_rpc(method, has_get)?;
            self.add(has_body, Operation { template, policy, handler: handler(method)? })?;
        }
        Ok(())
    }

    fn add(&mut self, has_body: bool, operation: Operation) -> anyhow::Result<()> {
        let template = &operation.template;
        let known = self.endpoints.iter().position(|endpoint| endpoint.template == *template);
        let index = known.unwrap_or(self.endpoints.len());
        if known.is_none() {
            self.paths.insert(template, index).with_context(|| template.clone())?;
            let template = template.clone();
            self.endpoints.push(Endpoint { template, get: None, post: None });
        }
        let endpoint = &mut self.endpoints[index];
        let slot = if has_body { &mut endpoint.post } else { &mut endpoint.get };
        if let Some(other) = slot.replace(operation) {
            bail!("`{}` is the path of another rpc", other.template);
        }
        Ok(())
    }

    /// Finds the endpoint of a raw path; literal paths take precedence over templates.
    pub(super) fn find(&self, path: &str) -> Option<Match<'_>> {
        let found = self.paths.at(path).ok()?;
        let path_values = found.params.iter().map(|(name, value)| {
            let value = Some(value).filter(|value| !value.is_empty())?;
            Some((name.to_owned(), percent_decoded(value).ok()?))
        });
        let path_values = path_values.collect::<Option<_>>()?;
        Some(Match { endpoint: self.endpoints.get(*found.value)?, path_values })
    }

    /// Every path with its operations, in the order of the protos.
    pub(super) fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// The rpc of the quote stream, if the protos have one.
    pub(super) fn quote_stream(&self) -> Option<&Rpc> {
        let operations = self.endpoints().iter().filter_map(|endpoint| endpoint.get.as_ref());
        let mut handlers = operations.map(|operation| &operation.handler);
        handlers.find_map(|handler| match handler {
            Handler::Buffered(BufferedCall::QuoteStream(rpc)) => Some(rpc),
            _ => None,
        })
    }
}

/// The parts of `google.api.HttpRule` that are served.
#[derive(Clone, PartialEq, prost::Message)]
struct HttpRule {
    #[prost(string, tag = "2")]
    get: String,
    #[prost(string, tag = "4")]
    post: String,
    #[prost(string, tag = "7")]
    body: String,
    #[prost(message, repeated, tag = "11")]
    additional_bindings: Vec<HttpRule>,
}

impl HttpRule {
    /// Whether the method is POST rather than GET, and the path template.
    fn binding(&self) -> anyhow::Result<(bool, &str)> {
        match (&*self.get, &*self.post, &*self.body) {
            ("", "", _) => bail!("only get and post are served"),
            ("", template, "*") => Ok((true, template)),
            ("", ..) => bail!("a post has body: \"*\""),
            (template, _, "") => Ok((false, template)),
            _ => bail!("a get has no body"),
        }
    }
}

/// The handler of an rpc. Streaming rpcs need a handler of their own.
fn handler(method: &MethodDescriptor) -> anyhow::Result<Handler> {
    // Of a streaming request, only the field `head` is read from parameters.
    let parameters = match method.is_client_streaming() {
        false => Some(method.input()),
        true => message_field(&method.input(), "head"),
    };
    if let Some(parameters) = parameters {
        reject_unsupported_types(&parameters, true, &mut Vec::new())?;
    }
    reject_unsupported_types(&method.output(), false, &mut Vec::new())?;
    let rpc = Rpc::of(method).context("the package has no service")?;
    match method.full_name() {
        _ if !method.is_client_streaming() && !method.is_server_streaming() => {
            Ok(Handler::Buffered(BufferedCall::Unary(rpc)))
        }
        QUOTE_STREAM => Ok(Handler::Buffered(BufferedCall::QuoteStream(rpc))),
        FEEDBACK_UPLOAD => Ok(Handler::FeedbackUpload(rpc)),
        _ => bail!("this stream is not served over HTTP"),
    }
}

fn message_field(message: &MessageDescriptor, name: &str) -> Option<MessageDescriptor> {
    message.get_field_by_name(name)?.kind().as_message().cloned()
}

/// Checks that a template lies under `/api/` and that each segment is plain text or `{field}`.
fn validate_template(template: &str, input: &MessageDescriptor) -> anyhow::Result<()> {
    let path = template.strip_prefix("/api/");
    let path = path.with_context(|| format!("`{template}` is not under /api/"))?;
    path.split('/').try_for_each(|segment| {
        let name = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let is_valid = match name {
            Some(name) => input
                .get_field_by_name(name)
                .is_some_and(|field| !field.is_list() && field.kind().as_message().is_none()),
            None => {
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
                !segment.is_empty() && segment.bytes().all(is_plain)
            }
        };
        ensure!(is_valid, "`{segment}` is neither plain text nor a field of the request");
        Ok(())
    })
}

/// Rejects types that requests cannot have as parameters, or responses as JSON. They include the well-known types: in
/// this API, times are epoch seconds and absent values are `null`.
fn reject_unsupported_types(
    message: &MessageDescriptor,
    is_request: bool,
    visited: &mut Vec<MessageDescriptor>,
) -> anyhow::Result<()> {
    let is_well_known = message.package_name() == "google.protobuf";
    ensure!(!is_well_known, "{} is not served as JSON", message.full_name());
    if visited.contains(message) {
        return Ok(());
    }
    visited.push(message.clone());
    message.fields().try_for_each(|field| match field.kind() {
        Kind::Message(inner) if !field.is_map() => {
            reject_unsupported_types(&inner, is_request, visited)
        }
        Kind::String | Kind::Bool | Kind::Uint32 | Kind::Uint64 | Kind::Enum(_) => Ok(()),
        Kind::Int32 | Kind::Double if !is_request => Ok(()),
        kind => bail!("{} is {kind:?}, which is not served as JSON", field.full_name()),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use prost_types::{
        DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet,
        field_descriptor_proto::Type,
    };

    use super::*;

    fn router() -> Router {
        Router::build(&crate::dynamic_grpc_client::pool().unwrap()).unwrap()
    }

    #[test]
    fn only_annotated_rpcs_are_found() {
        struct Case {
            path: &'static str,
            has_get: bool,
            has_post: bool,
        }
        let router = router();
        for Case { path, has_get, has_post } in [
            Case { path: "/api/news/content/detail", has_get: true, has_post: true },
            Case { path: "/api/news/content/log/add", has_get: false, has_post: true },
            Case { path: "/api/config/rest/menu", has_get: true, has_post: true },
            Case { path: "/api/hq/stream", has_get: true, has_post: false },
            Case { path: "/api/woms/feedback/submit", has_get: false, has_post: true },
            Case { path: "/api/log/report", has_get: false, has_post: true },
            Case { path: "/api/openapi.json", has_get: true, has_post: false },
        ] {
            let endpoint = router.find(path).unwrap().endpoint;
            let found = (endpoint.get.is_some(), endpoint.post.is_some());
            assert_eq!(found, (has_get, has_post), "{path}");
        }
        for path in [
            "/api",
            "/api/",
            "/api/news/content/detail/",
            "/api//news/content/detail",
            "/api/NEWS/content/detail",
            "/api/sahm.content.v1.NewsService/WithdrawArticles",
            "/sahm.content.v1.NewsService/GetArticle",
            "/api/news/content/%64etail",
        ] {
            assert!(router.find(path).is_none(), "{path}");
        }
    }

    #[test]
    fn policies_match_proto_options() {
        struct Case {
            path: &'static str,
            rate_class: RateClass,
            max_body_bytes: usize,
            counts_visitor: bool,
        }
        let case = |path, rate_class| Case {
            path,
            rate_class,
            max_body_bytes: 65_536,
            counts_visitor: false,
        };
        let counted = |path, rate_class| Case { counts_visitor: true, ..case(path, rate_class) };
        let router = router();
        for case in [
            Case { max_body_bytes: 16_384, ..case("/api/event-report/report", RateClass::Events) },
            Case { max_body_bytes: 16_384, ..case("/api/log/report", RateClass::Events) },
            Case {
                max_body_bytes: 16 << 20,
                ..case("/api/woms/feedback/submit", RateClass::Other)
            },
            counted("/api/news/content/log/add", RateClass::Events),
            counted("/api/college/log/add", RateClass::Events),
            counted("/api/news/like/operate", RateClass::Other),
            counted("/api/college/article/like/add", RateClass::Other),
            counted("/api/college/article/like/cancel", RateClass::Other),
            counted("/api/college/video/view-result/upload", RateClass::Other),
            case("/api/passport/member/check", RateClass::Reading),
            case("/api/passport/auth-code/send", RateClass::Other),
            case("/api/news/tab/list", RateClass::Reading),
            case("/api/help/rest/doc/7/contentV2", RateClass::Reading),
            case("/api/hq/batch/querySimpleBySecurityCodes", RateClass::Other),
            case("/api/hq/stream", RateClass::Reading),
        ] {
            let endpoint = router.find(case.path).unwrap().endpoint;
            for operation in endpoint.get.iter().chain(&endpoint.post) {
                let policy = &operation.policy;
                assert_eq!(policy.rate_class, case.rate_class, "{}", case.path);
                assert_eq!(policy.max_body_bytes, case.max_body_bytes, "{}", case.path);
                assert_eq!(policy.counts_visitor, case.counts_visitor, "{}", case.path);
            }
        }
    }

    #[test]
    fn path_parameters_are_percent_decoded() {
        struct Case {
            sent: &'static str,
            value: Option<&'static str>,
        }
        let router = router();
        for Case { sent, value } in [
            Case { sent: "a%20b", value: Some("a b") },
            Case { sent: "a+b", value: Some("a+b") },
            Case { sent: "%zz", value: None },
            Case { sent: "", value: None },
        ] {
            for path in ["/api/help/rest/doc/{id}/contentV2", "/api/hq/iisnews/detail/{id}"] {
                let path = path.replace("{id}", sent);
                let found = router.find(&path).map(|found| found.path_values);
                let expected = value.map(|value| vec![("id".to_owned(), value.to_owned())]);
                assert_eq!(found, expected, "{path}");
            }
        }
    }

    #[test]
    fn every_template_finds_its_own_endpoint() {
        let router = router();
        assert!(router.endpoints().len() > 50);
        for Endpoint { template, .. } in router.endpoints() {
            assert_eq!(router.find(template).unwrap().endpoint.template, *template);
        }
    }

    #[test]
    fn types_without_json_are_rejected() {
        let field = |kind: Type, type_name: &str| FieldDescriptorProto {
            name: Some("field".to_owned()),
            number: Some(1),
            r#type: Some(kind.into()),
            type_name: Some(type_name).filter(|name| !name.is_empty()).map(str::to_owned),
            ..Default::default()
        };
        let message = |name: &str, field: FieldDescriptorProto| DescriptorProto {
            name: Some(name.to_owned()),
            field: vec![field],
            ..Default::default()
        };
        let rejected = |is_request: bool, kind: Type| {
            let file = FileDescriptorProto {
                name: Some("t.proto".to_owned()),
                syntax: Some("proto3".to_owned()),
                message_type: vec![
                    message("Outer", field(Type::Message, ".Inner")),
                    message("Inner", field(kind, "")),
                ],
                ..Default::default()
            };
            let set = FileDescriptorSet { file: vec![file] };
            let pool = DescriptorPool::from_file_descriptor_set(set).unwrap();
            let outer = pool.get_message_by_name("Outer").unwrap();
            reject_unsupported_types(&outer, is_request, &mut Vec::new()).is_err()
        };
        for kind in [Type::String, Type::Bool, Type::Uint32, Type::Uint64] {
            assert!(!rejected(true, kind) && !rejected(false, kind), "{kind:?}");
        }
        for kind in [Type::Int32, Type::Double] {
            assert!(rejected(true, kind) && !rejected(false, kind), "{kind:?}");
        }
        for kind in [Type::Bytes, Type::Float, Type::Int64, Type::Sint32, Type::Fixed64] {
            assert!(rejected(true, kind) && rejected(false, kind), "{kind:?}");
        }
    }
}
