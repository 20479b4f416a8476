//! `/api/openapi.json`: OpenAPI 3.1, made from the protos and their comments.

mod comments;
mod schemas;
mod sent;
mod static_paths;

use std::collections::HashMap;

use prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};
use sahm_chassis::error::ErrorCode;
use serde_json::{Map, Value, json};

use self::{
    comments::Comments,
    schemas::Schemas,
    sent::{Encoding, Sent},
};
use super::{
    options::{GatewayOnly, SessionPolicy},
    router::{Call, Endpoint, Table},
    rules::RuleBook,
};

/// HTTP statuses of failures with what they mean, in the order of the API page.
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
    (429, "Too many requests: code 429, `Retry-After` says when to come back."),
    (500, "Our fault: code 500, `data.id` is what support asks for."),
    (503, "A part is away: code 503, `Retry-After` says when to come back."),
    (504, "Out of time: code 504."),
];

/// The whole page.
pub(super) fn document(
    table: &Table,
    pool: &DescriptorPool,
    hidden: &GatewayOnly,
    rules: &RuleBook,
    public_url: &str,
    session_cookie: &str,
) -> Value {
    let schemas = Schemas::new(hidden);
    let comments = Comments::default();
    let mut generator = Generator { operations: HashMap::new(), comments, schemas, rules };
    let mut paths = Map::new();
    for (path, endpoint) in table.iter() {
        paths.insert(path.to_owned(), generator.path(endpoint));
    }
    paths.insert(super::client_errors::PATH.to_owned(), static_paths::report());
    paths.insert(super::stream::PATH.to_owned(), static_paths::stream(&mut generator, pool));
    paths.insert(super::upload::PATH.to_owned(), static_paths::upload(&mut generator, pool));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sahm",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every answer is `{code, msg, error, errorHK, data}`, all five always \
                present; `code` 10000000 is success. `msg` speaks the caller's language: \
                parameter `lang` or `_lang`, else cookie `lang`, else English. Unknown parameters \
                are ignored. Times are epoch seconds; 64-bit numbers are strings.",
        },
        "servers": [{ "url": public_url }],
        "paths": paths,
        "components": {
            "schemas": generator.schemas.finish(&generator.comments),
            "responses": failures(),
            "securitySchemes": { "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": session_cookie,
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
    /// Rpcs and verbs so far: one that stands at several paths is a numbered operation at each.
    operations: HashMap<String, u32>,
    comments: Comments,
    schemas: Schemas<'a>,
    rules: &'a RuleBook,
}

impl Generator<'_> {
    fn path(&mut self, endpoint: &Endpoint) -> Value {
        let mut item = Map::new();
        if let Some(call) = &endpoint.get {
            let mut operation = self.operation(call, "get");
            let fields = call.input().fields().collect::<Vec<_>>();
            let parameters = fields.iter().map(|field| self.parameter(call, field));
            let parameters = parameters.chain([json!({ "$ref": "#/components/parameters/lang" })]);
            operation.insert("parameters".to_owned(), parameters.collect());
            item.insert("get".to_owned(), operation.into());
        }
        if let Some(call) = &endpoint.post {
            let mut operation = self.operation(call, "post");
            let input = call.input();
            let in_path = input.fields().filter(|field| in_path(call, field));
            let in_path = in_path.collect::<Vec<_>>();
            let parameters = in_path.iter().map(|field| self.parameter(call, field));
            let parameters = parameters.chain([json!({ "$ref": "#/components/parameters/lang" })]);
            operation.insert("parameters".to_owned(), parameters.collect());
            let body = self.body(call);
            operation.insert("requestBody".to_owned(), body);
            item.insert("post".to_owned(), operation.into());
        }
        item.into()
    }

    fn operation(&mut self, call: &Call, verb: &str) -> Map<String, Value> {
        let method = &call.rpc.method;
        let text = self.comments.of(&method.parent_file(), method.path());
        let summary = text.split_inclusive(". ").next().unwrap_or_default();
        let summary = summary.lines().next().unwrap_or_default().trim().trim_end_matches('.');
        let service = method.parent_service().name();
        let data = self.schemas.reference(&call.output());
        let mut responses = Map::new();
        responses.insert(
            "200".to_owned(),
            json!({
                "description": "Success.",
                "content": { "application/json": { "schema": envelope(&data) } },
            }),
        );
        for (status, _) in
            FAILURES.iter().filter(|(status, _)| verb != "get" || !is_of_body(*status))
        {
            let reference = format!("#/components/responses/{status}");
            responses.insert(status.to_string(), json!({ "$ref": reference }));
        }
        let mut id = format!("{service}_{}_{verb}", method.name());
        let count = self.operations.entry(id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            id = format!("{id}_{count}");
        }
        let operation = json!({
            "operationId": id,
            "summary": summary,
            "description": text,
            "tags": [call.rpc.service.as_str()],
            "responses": responses,
            "x-rpc": method.full_name(),
        });
        let mut operation = match operation {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        if call.policy.session == SessionPolicy::Required {
            operation.insert("security".to_owned(), json!([{ "session": [] }]));
        }
        operation
    }

    fn sent(&self) -> Sent<'_> {
        Sent { rules: self.rules, comments: &self.comments }
    }

    fn parameter(&self, call: &Call, field: &FieldDescriptor) -> Value {
        let in_path = in_path(call, field);
        let sent = self.sent();
        let mut parameter = json!({
            "name": field.json_name(),
            "in": if in_path { "path" } else { "query" },
            "required": in_path || sent.is_required(field),
            "description": sent.description(field),
        });
        // A message in a query is its JSON.
        if field.is_map() || matches!(field.kind(), Kind::Message(_)) {
            let schema = sent.field(field, Encoding::Json);
            parameter["content"] = json!({ "application/json": { "schema": schema } });
        } else {
            parameter["schema"] = sent.described(field, Encoding::Query);
        }
        parameter
    }

    fn body(&self, call: &Call) -> Value {
        let input = call.input();
        let fields = || input.fields().filter(|field| !in_path(call, field));
        let sent = self.sent();
        let schema = |encoding| json!({ "schema": sent.object(fields(), encoding) });
        json!({
            "required": fields().any(|field| sent.is_required(&field)),
            "content": {
                "application/json": schema(Encoding::Json),
                "application/x-www-form-urlencoded": schema(Encoding::Form),
            },
        })
    }
}

fn in_path(call: &Call, field: &FieldDescriptor) -> bool {
    call.template.contains(&format!("{{{}}}", field.name()))
}

fn is_of_body(status: u16) -> bool {
    matches!(status, 408 | 413 | 415)
}

/// The schema name of a message: `sahm.content.v1.Article` → `content.Article`.
fn schema_name(message: &MessageDescriptor) -> String {
    let short = message.full_name().strip_prefix("sahm.").unwrap_or(message.full_name());
    short.replacen(".v1.", ".", 1)
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
    let names = ErrorCode::ALL.map(|code| format!("`{}` ({})", code.name(), code.number()));
    let data = json!({
        "type": ["object", "null"],
        "properties": {
            "fields": {
                "type": "object",
                "additionalProperties": { "type": "string" },
                "description": "What is wrong, by field.",
            },
            "id": { "type": "string", "description": "Names this failure in our log." },
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

#[cfg(test)]
mod tests;
