//! The REST router: paths to rpcs, read once from the `google.api.http` annotations of the protos.

use std::{collections::HashMap, sync::Arc};

use prost_reflect::{DescriptorPool, DynamicMessage, Kind, MessageDescriptor, MethodDescriptor};

use super::options::Policy;
use crate::dynamic::Rpc;

/// One annotated rpc.
#[derive(Debug)]
pub(super) struct Call {
    /// The rpc that answers it.
    pub(super) rpc: Rpc,
    /// The path template, also the call's name in logs: `/api/help/rest/doc/{id}/contentV2`.
    pub(super) template: String,
    /// How the gateway treats it.
    pub(super) policy: Policy,
}

impl Call {
    /// The request message.
    pub(super) fn input(&self) -> MessageDescriptor {
        self.rpc.input()
    }

    /// The response message.
    pub(super) fn output(&self) -> MessageDescriptor {
        self.rpc.output()
    }
}

/// What one path offers.
#[derive(Clone, Debug, Default)]
pub(super) struct Endpoint {
    /// GET and HEAD.
    pub(super) get: Option<Arc<Call>>,
    /// POST.
    pub(super) post: Option<Arc<Call>>,
}

/// A path found in the table, with the values of its template.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// What it offers.
    pub(super) endpoint: &'a Endpoint,
    /// Field name (as in the proto) and percent-decoded value.
    pub(super) path_values: Vec<(String, String)>,
}

/// All annotated rpcs by path.
#[derive(Debug, Default)]
pub(super) struct Table {
    literal: HashMap<String, Endpoint>,
    templates: Vec<(Vec<Segment>, Endpoint)>,
    order: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Literal(String),
    Field(String),
}

/// An annotation that cannot be served.
#[derive(Debug, thiserror::Error)]
#[error("{rpc}: {why}")]
pub struct TableError {
    rpc: String,
    why: String,
}

impl Table {
    /// Reads the annotations of every service in the pool.
    pub(super) fn build(pool: &DescriptorPool) -> Result<Self, TableError> {
        let mut table = Self::default();
        let Some(annotation) = pool.get_extension_by_name("google.api.http") else {
            return Ok(table);
        };
        for service in pool.services() {
            for method in service.methods() {
                let options = method.options();
                if !options.has_extension(&annotation) {
                    continue;
                }
                let rule = options.get_extension(&annotation);
                let bad = |why: String| TableError { rpc: method.full_name().to_owned(), why };
                let rule = rule.as_message().ok_or_else(|| bad("not a rule".to_owned()))?;
                let bindings = bindings(rule).map_err(&bad)?;
                let reads = bindings.iter().any(|binding| !binding.post);
                let policy = Policy::read(&method, reads).map_err(&bad)?;
                for binding in bindings {
                    table.add(&method, binding, policy.clone()).map_err(&bad)?;
                }
            }
        }
        Ok(table)
    }

    fn add(
        &mut self,
        method: &MethodDescriptor,
        binding: Binding,
        policy: Policy,
    ) -> Result<(), String> {
        let call = call(method, &binding.template, policy)?;
        let segments = segments(&call)?;
        if !self.order.contains(&binding.template) {
            self.order.push(binding.template.clone());
        }
        let endpoint = if segments.iter().all(|segment| matches!(segment, Segment::Literal(_))) {
            self.literal.entry(binding.template).or_default()
        } else {
            let known = self.templates.iter().position(|(other, _)| *other == segments);
            let at = known.unwrap_or_else(|| {
                self.templates.push((segments, Endpoint::default()));
                self.templates.len() - 1
            });
            &mut self.templates[at].1
        };
        let slot = if binding.post { &mut endpoint.post } else { &mut endpoint.get };
        if let Some(other) = slot {
            return Err(format!("its path is that of {}", other.rpc.method.full_name()));
        }
        *slot = Some(Arc::new(call));
        Ok(())
    }

    /// Finds a raw request path; a literal path goes before a template.
    pub(super) fn find(&self, path: &str) -> Option<Found<'_>> {
        if let Some(endpoint) = self.literal.get(path) {
            return Some(Found { endpoint, path_values: Vec::new() });
        }
        let sent = path.strip_prefix('/')?.split('/').collect::<Vec<_>>();
        self.templates.iter().find_map(|(segments, endpoint)| {
            matches(segments, &sent).map(|path_values| Found { endpoint, path_values })
        })
    }

    /// Every path with what it offers, in the order of the protos.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Endpoint)> {
        self.order.iter().filter_map(|template| {
            let endpoint = self.literal.get(template).or_else(|| {
                let is_it = |endpoint: &&(Vec<Segment>, Endpoint)| {
                    let call = endpoint.1.get.as_ref().or(endpoint.1.post.as_ref());
                    call.is_some_and(|call| call.template == *template)
                };
                self.templates.iter().find(is_it).map(|(_, endpoint)| endpoint)
            })?;
            Some((template.as_str(), endpoint))
        })
    }
}

struct Binding {
    post: bool,
    template: String,
}

/// A rule and its additional bindings.
fn bindings(rule: &DynamicMessage) -> Result<Vec<Binding>, String> {
    let mut found = vec![binding(rule)?];
    if let Some(more) = rule.get_field_by_name("additional_bindings") {
        for rule in more.as_list().unwrap_or_default().iter().filter_map(|value| value.as_message())
        {
            found.push(binding(rule)?);
        }
    }
    Ok(found)
}

fn binding(rule: &DynamicMessage) -> Result<Binding, String> {
    let text = |name: &str| {
        let value = rule.get_field_by_name(name)?;
        value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    };
    match (text("get"), text("post"), text("body").as_deref()) {
        (Some(template), None, None) => Ok(Binding { post: false, template }),
        (None, Some(template), Some("*")) => Ok(Binding { post: true, template }),
        (None, Some(_), _) => Err("a post has body: \"*\"".to_owned()),
        _ => Err("only get and post are served".to_owned()),
    }
}

fn call(method: &MethodDescriptor, template: &str, policy: Policy) -> Result<Call, String> {
    if method.is_client_streaming() || method.is_server_streaming() {
        return Err("a stream is not served from an annotation".to_owned());
    }
    if !template.starts_with("/api/") {
        return Err(format!("`{template}` is not under /api/"));
    }
    for message in [method.input(), method.output()] {
        no_well_known(&message, &mut Vec::new())?;
    }
    let package = method.parent_service().package_name().to_owned();
    Ok(Call {
        rpc: Rpc::of(method).ok_or_else(|| format!("package {package} has no service"))?,
        template: template.to_owned(),
        policy,
    })
}

fn segments(call: &Call) -> Result<Vec<Segment>, String> {
    let path = call.template.trim_start_matches('/');
    path.split('/').map(|part| segment(call, part)).collect()
}

fn segment(call: &Call, part: &str) -> Result<Segment, String> {
    let Some(name) = part.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        return match !part.is_empty() && part.bytes().all(plain) {
            true => Ok(Segment::Literal(part.to_owned())),
            false => Err(format!("`{part}` is not a path segment that is served")),
        };
    };
    match call.input().get_field_by_name(name) {
        Some(field)
            if !field.is_list() && !field.is_map() && field.kind().as_message().is_none() =>
        {
            Ok(Segment::Field(name.to_owned()))
        }
        _ => Err(format!("`{{{name}}}` is not a plain field of the request")),
    }
}

/// Times are epoch seconds here and absence is `null`: the well-known types have no place.
fn no_well_known(message: &MessageDescriptor, seen: &mut Vec<String>) -> Result<(), String> {
    if message.package_name() == "google.protobuf" {
        return Err(format!("{} is not served as JSON", message.full_name()));
    }
    if seen.iter().any(|name| name == message.full_name()) {
        return Ok(());
    }
    seen.push(message.full_name().to_owned());
    message.fields().try_for_each(|field| match field.kind() {
        Kind::Message(inner) => no_well_known(&inner, seen),
        _ => Ok(()),
    })
}

fn matches(segments: &[Segment], sent: &[&str]) -> Option<Vec<(String, String)>> {
    if segments.len() != sent.len() {
        return None;
    }
    let mut values = Vec::new();
    for (segment, sent) in segments.iter().zip(sent) {
        match segment {
            Segment::Literal(literal) if literal == sent => {}
            Segment::Field(name) if !sent.is_empty() => {
                let value = super::params::percent_decoded(sent, false).ok()?;
                values.push((name.clone(), value));
            }
            _ => return None,
        }
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::limits::RateClass;

    fn table() -> Table {
        Table::build(&crate::dynamic::pool().unwrap()).unwrap()
    }

    #[test]
    fn only_annotated_calls_are_found() {
        let table = table();
        let cases = [
            ("/api/news/content/detail", true, true),
            ("/api/news/content/log/add", false, true),
            ("/api/config/rest/menu", true, true),
        ];
        for (path, get, post) in cases {
            let found = table.find(path).unwrap();
            assert_eq!((found.endpoint.get.is_some(), found.endpoint.post.is_some()), (get, post));
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
            assert!(table.find(path).is_none(), "{path}");
        }
    }

    #[test]
    fn policies_are_those_of_the_protos() {
        struct Row {
            path: &'static str,
            rate_class: RateClass,
            max_body_bytes: usize,
            counts_visitor: bool,
        }
        let row = |path, rate_class| Row {
            path,
            rate_class,
            max_body_bytes: 65_536,
            counts_visitor: false,
        };
        let counted = |path, rate_class| Row { counts_visitor: true, ..row(path, rate_class) };
        let table = table();
        for row in [
            Row { max_body_bytes: 16_384, ..row("/api/event-report/report", RateClass::Events) },
            counted("/api/news/content/log/add", RateClass::Events),
            counted("/api/college/log/add", RateClass::Events),
            counted("/api/news/like/operate", RateClass::Other),
            counted("/api/college/article/like/add", RateClass::Other),
            counted("/api/college/article/like/cancel", RateClass::Other),
            counted("/api/college/video/view-result/upload", RateClass::Other),
            row("/api/passport/member/check", RateClass::Reading),
            row("/api/passport/auth-code/send", RateClass::Other),
            row("/api/news/tab/list", RateClass::Reading),
            row("/api/help/rest/doc/7/contentV2", RateClass::Reading),
            row("/api/hq/batch/querySimpleBySecurityCodes", RateClass::Other),
        ] {
            let endpoint = table.find(row.path).unwrap().endpoint;
            for call in endpoint.get.iter().chain(&endpoint.post) {
                let policy = &call.policy;
                assert_eq!(policy.rate_class, row.rate_class, "{}", row.path);
                assert_eq!(policy.max_body_bytes, row.max_body_bytes, "{}", row.path);
                assert_eq!(policy.counts_visitor, row.counts_visitor, "{}", row.path);
            }
        }
    }

    #[test]
    fn templates_give_decoded_values() {
        let segments = [Segment::Literal("api".to_owned()), Segment::Field("id".to_owned())];
        let value = |sent: &str| matches(&segments, &["api", sent]).map(|mut all| all.remove(0).1);
        assert_eq!(value("a%20b").as_deref(), Some("a b"));
        assert_eq!(value("a+b").as_deref(), Some("a+b"));
        assert_eq!(value("%zz"), None);
        assert_eq!(value(""), None);
    }

    #[test]
    fn every_listed_path_is_found() {
        let table = table();
        assert!(table.iter().count() > 5);
        assert!(table.iter().all(|(path, _)| table.find(path).is_some()));
    }
}
