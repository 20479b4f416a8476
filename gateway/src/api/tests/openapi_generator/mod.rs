//! Generates `openapi.json` from the protos, their options and comments.
#![allow(clippy::unwrap_used)]

mod comments;
mod requests;
mod responses;
mod static_paths;

use std::collections::HashMap;

use prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};
use sahm_chassis::error::ErrorCode;
use serde_json::{Map, Value, json};

use self::{
    comments::Comments,
    requests::{Encoding, RequestSchemas},
    responses::ResponseSchemas,
};
use crate::{
    api::{
        operation::{BufferedCall, Endpoint, Handler, Operation},
        redaction::RedactedFields,
        router::Router,
        rules::FieldRules,
    },
    dynamic_grpc_client::Rpc,
};

/// HTTP statuses of failures and their meanings, in the order of the API page.
const FAILURES: [(u16, &str); 13] = [
    (400, "A parameter is malformed: code 10000003, `data.fields` names each."),
    (401, "Not logged in (10000006) or session expired (10000007)."),
    (403, "Not allowed or sent from another site (403); signature invalid (10030001)."),
    (404, "Missing: article 20390030, course 20360014, document 30010002, anything else 404."),
    (408, "The body did not arrive in time: code 10000003."),
    (409, "Conflict: code 409."),
    (413, "The body is larger than 64 KB: code 10000003."),
    (415, "The body is neither a form nor JSON in UTF-8: code 10000003."),
    (422, "A code, password or token is wrong: code 10000003, `data.fields` names it."),
    (429, "Too many requests: code 429, `Retry-After` says when to retry."),
    (500, "Internal error: code 500; `data.id` identifies it for support."),
    (503, "A part is unavailable: code 503, `Retry-After` says when to retry."),
    (504, "Out of time: code 504."),
];

/// The whole description. Version, servers and session cookie depend on the deployment.
pub(super) fn document(pool: &DescriptorPool) -> Value {
    let (router, redacted, rules) =
        (Router::build(pool).unwrap(), RedactedFields::read(pool), FieldRules::read(pool));
    let mut generator = Generator {
        operations: HashMap::new(),
        comments: Comments::default(),
        schemas: ResponseSchemas::new(&redacted),
        rules: &rules,
    };
    let paths = router.endpoints().iter();
    let paths = paths.map(|endpoint| (endpoint.template.clone(), generator.path(endpoint)));
    let paths = paths.filter(|(_, item)| !item.is_empty());
    let paths = paths.map(|(path, item)| (path, item.into())).collect::<Map<_, _>>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sahm",
            "version": "",
            "description": "Every response is `{code, msg, error, errorHK, data}`, all five always \
                present; `code` 10000000 is success. `msg` speaks the caller's language: \
                parameter `lang` or `_lang`, else cookie `lang`, else English. Unknown parameters \
                are ignored. Times are epoch seconds; 64-bit numbers are strings.",
        },
        "servers": [],
        "paths": paths,
        "components": {
            "schemas": generator.schemas.finish(&generator.comments),
            "responses": failures(),
            "securitySchemes": { "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": "",
                "description": "The session cookie, set by the logins.",
            } },
            "parameters": { "lang": {
                "name": "lang",
                "in": "query",
                "description": "Language of texts for people: `en-us` or `ar-sa`; `_lang` means the same.",
                "schema": { "type": "string" },
            } },
        },
    })
}

struct Generator<'a> {
    /// Number of operations per rpc and method so far: an rpc with several paths has a numbered operation for each.
    operations: HashMap<String, u32>,
    comments: Comments,
    schemas: ResponseSchemas<'a>,
    rules: &'a FieldRules,
}

impl Generator<'_> {
    fn path(&mut self, endpoint: &Endpoint) -> Map<String, Value> {
        let mut item = Map::new();
        for (method, operation) in [("get", &endpoint.get), ("post", &endpoint.post)] {
            let Some(operation) = operation else { continue };
            let described = match &operation.handler {
                Handler::Buffered(BufferedCall::Unary(rpc)) => self.unary(operation, rpc, method),
                Handler::Buffered(BufferedCall::QuoteStream(rpc)) => {
                    static_paths::stream(self, rpc)
                }
                Handler::FeedbackUpload(rpc) => static_paths::upload(self, rpc),
                Handler::Buffered(BufferedCall::ClientErrors) => static_paths::report(),
                Handler::Buffered(BufferedCall::OpenApi) => continue,
            };
            item.insert(method.to_owned(), described);
        }
        item
    }

    fn unary(&mut self, operation: &Operation, rpc: &Rpc, method: &str) -> Value {
        let mut described = self.operation(operation, rpc, method);
        let is_get = method == "get";
        let fields = rpc.input().fields().collect::<Vec<_>>();
        let fields = fields.iter().filter(|field| is_get || in_path(operation, field));
        let parameters = fields.map(|field| self.parameter(operation, field));
        let parameters = parameters.chain([json!({ "$ref": "#/components/parameters/lang" })]);
        described["parameters"] = parameters.collect();
        if !is_get {
            described["requestBody"] = self.body(operation, rpc);
        }
        described
    }

    fn operation(&mut self, operation: &Operation, rpc: &Rpc, verb: &str) -> Value {
        let method = &rpc.method;
        let text = self.comments.of(&method.parent_file(), method.path());
        let summary = text.split_inclusive(". ").next().unwrap_or_default();
        let summary = summary.lines().next().unwrap_or_default().trim().trim_end_matches('.');
        let service = method.parent_service().name();
        let data = self.schemas.reference(&rpc.output());
        let statuses = FAILURES.iter().map(|(status, _)| *status);
        let statuses = statuses.filter(|status| verb != "get" || !is_of_body(*status));
        let responses = responses(&data, statuses);
        let mut id = format!("{service}_{}_{verb}", method.name());
        let count = self.operations.entry(id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            id = format!("{id}_{count}");
        }
        let mut described = json!({
            "operationId": id,
            "summary": summary,
            "description": text,
            "tags": [rpc.service.as_str()],
            "responses": responses,
            "x-rpc": method.full_name(),
        });
        if operation.policy.requires_session() {
            described["security"] = json!([{ "session": [] }]);
        }
        described
    }

    fn request_schemas(&self) -> RequestSchemas<'_> {
        RequestSchemas { rules: self.rules, comments: &self.comments }
    }

    fn parameter(&self, operation: &Operation, field: &FieldDescriptor) -> Value {
        let in_path = in_path(operation, field);
        let schemas = self.request_schemas();
        let mut parameter = json!({
            "name": field.json_name(),
            "in": if in_path { "path" } else { "query" },
            "required": in_path || schemas.is_required(field),
            "description": schemas.description(field),
        });
        // A message in a query is its JSON.
        if field.is_map() || matches!(field.kind(), Kind::Message(_)) {
            let schema = schemas.field(field, Encoding::Json);
            parameter["content"] = json!({ "application/json": { "schema": schema } });
        } else {
            parameter["schema"] = schemas.described(field, Encoding::Query);
        }
        parameter
    }

    fn body(&self, operation: &Operation, rpc: &Rpc) -> Value {
        let input = rpc.input();
        let fields = || input.fields().filter(|field| !in_path(operation, field));
        let schemas = self.request_schemas();
        let schema = |encoding| json!({ "schema": schemas.object(fields(), encoding) });
        json!({
            "required": fields().any(|field| schemas.is_required(&field)),
            "content": {
                "application/json": schema(Encoding::Json),
                "application/x-www-form-urlencoded": schema(Encoding::Form),
            },
        })
    }
}

fn in_path(operation: &Operation, field: &FieldDescriptor) -> bool {
    operation.template.contains(&format!("{{{}}}", field.name()))
}

fn is_of_body(status: u16) -> bool {
    matches!(status, 408 | 413 | 415)
}

/// The schema name of a message: `sahm.content.v1.Article` → `content.Article`.
fn schema_name(message: &MessageDescriptor) -> String {
    let short = message.full_name().strip_prefix("sahm.").unwrap_or(message.full_name());
    short.replacen(".v1.", ".", 1)
}

/// 200 with this data, and failures by reference.
fn responses(data: &Value, failures: impl IntoIterator<Item = u16>) -> Map<String, Value> {
    let success = json!({
        "description": "Success.",
        "content": { "application/json": { "schema": envelope(data) } },
    });
    let failures = failures.into_iter().map(|status| {
        let reference = format!("#/components/responses/{status}");
        (status.to_string(), json!({ "$ref": reference }))
    });
    [("200".to_owned(), success)].into_iter().chain(failures).collect()
}

fn envelope(data: &Value) -> Value {
    json!({
        "type": "object",
        "required": ["code", "msg", "error", "errorHK", "data"],
        "properties": {
            "code": { "type": "integer", "description": "10000000 is success." },
            "msg": { "type": "string", "description": "For people, in the caller's language." },
            "error": { "type": "string", "description": "The error's stable name; empty on success." },
            "errorHK": { "type": "string", "description": "The same as `msg`." },
            "data": data,
        },
    })
}

fn failures() -> Map<String, Value> {
    let names = ErrorCode::all().map(|code| format!("`{}` ({})", code.name(), code.number()));
    let names = names.collect::<Vec<_>>();
    let data = json!({
        "type": ["object", "null"],
        "properties": {
            "fields": {
                "type": "object",
                "additionalProperties": { "type": "string" },
                "description": "Reasons by field.",
            },
            "id": { "type": "string", "description": "Identifies this failure in the log." },
        },
    });
    let mut schema = envelope(&data);
    schema["properties"]["error"]["description"] = format!("One of {}.", names.join(", ")).into();
    let responses = FAILURES.iter().map(|(status, description)| {
        let mut response = json!({
            "description": description,
            "content": { "application/json": { "schema": schema } },
        });
        if matches!(status, 429 | 503) {
            response["headers"] =
                json!({ "Retry-After": { "description": "Seconds.", "schema": { "type": "integer" } } });
        }
        (status.to_string(), response)
    });
    responses.collect()
}

mod tests;
