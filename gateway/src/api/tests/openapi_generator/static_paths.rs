//! Operations that no rpc describes: those of the gateway, the stream and the upload.

use prost_reflect::{Kind, MessageDescriptor};
use serde_json::{Value, json};

use super::{Encoding, Generator, responses};
use crate::{api::upload::MAX_FILES, dynamic_grpc_client::Rpc};

/// Errors of browsers.
pub(super) fn report() -> Value {
    let text =
        |description: &str| json!({ "type": ["string", "null"], "description": description });
    let body = json!({
        "type": "object",
        "required": ["message"],
        "properties": {
            "message": {
                "type": "string",
                "minLength": 1,
                "description": "What went wrong; up to 2,000 characters are kept.",
            },
            "stack": text("Where; up to 8,000 characters are kept."),
            "url": text("The page's address; up to 2,000 characters are kept."),
            "build": text("The page's build; up to 80 characters are kept."),
        },
    });
    let data = json!({
        "type": "object",
        "required": ["accepted"],
        "properties": { "accepted": { "type": "boolean" } },
    });
    let responses = responses(&data, [400, 403, 408, 413, 415, 429]);
    json!({
        "operationId": "report_log",
        "summary": "Reports an error that happened in a browser",
        "tags": ["gateway"],
        "parameters": [{ "$ref": "#/components/parameters/lang" }],
        "requestBody": { "required": true, "content": {
            "application/json": { "schema": body },
            "application/x-www-form-urlencoded": { "schema": body },
        } },
        "responses": responses,
    })
}

/// Quotes as server-sent events.
pub(super) fn stream(generator: &mut Generator<'_>, rpc: &Rpc) -> Value {
    let quote = message_of(rpc.output(), "quote");
    let quote = quote.map(|quote| generator.schemas.reference(&quote));
    let mut responses = responses(&Value::Null, [400, 429, 503, 504]);
    responses.insert(
        "200".to_owned(),
        json!({
            "description": "Server-sent events: `event: snapshot` for each security, then \
                `event: quote` for each change; `data` is a quote, `id` goes on from \
                `Last-Event-ID`. A client that reads slowly gets the latest quote of each \
                security only. A comment comes every 15 s; `retry` is 3000.",
            "content": { "text/event-stream": { "schema": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": quote,
            } } },
        }),
    );
    json!({
        "operationId": "stream_quotes_get",
        "summary": "Quotes as they change",
        "tags": ["quotes"],
        "parameters": [
            {
                "name": "codes",
                "in": "query",
                "required": true,
                "description": "Security codes, comma list of at most 50.",
                "schema": { "type": "string" },
            },
            {
                "name": "Last-Event-ID",
                "in": "header",
                "description": "The last id seen: what has not changed since is not sent again.",
                "schema": { "type": "string" },
            },
            { "$ref": "#/components/parameters/lang" },
        ],
        "responses": responses,
        "x-rpc": rpc.method.full_name(),
    })
}

/// Feedback with files.
pub(super) fn upload(generator: &mut Generator<'_>, rpc: &Rpc) -> Value {
    let file = json!({
        "type": "string",
        "contentMediaType": "image/jpeg, image/png, image/bmp",
        "description": "JPEG, PNG or BMP by content, 500 KB to 5 MB.",
    });
    let head = message_of(rpc.input(), "head");
    let fields = head.iter().flat_map(MessageDescriptor::fields);
    let mut form = generator.request_schemas().object(fields, Encoding::Form);
    form["properties"]["files"] = json!({ "type": "array", "maxItems": MAX_FILES, "items": file });
    let data = generator.schemas.reference(&rpc.output());
    let responses = responses(&data, [400, 401, 403, 408, 413, 415, 422, 429, 500, 503, 504]);
    json!({
        "operationId": "submit_feedback_post",
        "summary": "Submits feedback or a complaint, with up to three pictures",
        "description": "Texts before the files are validated first. At most 16 MB in total.",
        "tags": ["identity"],
        "parameters": [{ "$ref": "#/components/parameters/lang" }],
        "requestBody": { "required": true, "content": { "multipart/form-data": {
            "schema": form,
        } } },
        "responses": responses,
        "x-rpc": rpc.method.full_name(),
    })
}

fn message_of(message: MessageDescriptor, field: &str) -> Option<MessageDescriptor> {
    match message.get_field_by_name(field)?.kind() {
        Kind::Message(inner) => Some(inner),
        _ => None,
    }
}
