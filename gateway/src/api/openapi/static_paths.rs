//! The calls that no annotation describes: the gateway's own, the stream and the upload.

use prost_reflect::{DescriptorPool, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::{Encoding, Generator, envelope};
use crate::api::{stream, upload};

/// `/api/log/report`, which the gateway answers itself.
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
    let mut responses = Map::new();
    responses.insert(
        "200".to_owned(),
        json!({
            "description": "Success.",
            "content": { "application/json": { "schema": envelope(&data) } },
        }),
    );
    for status in [400, 403, 408, 413, 415, 429] {
        let reference = format!("#/components/responses/{status}");
        responses.insert(status.to_string(), json!({ "$ref": reference }));
    }
    json!({ "post": {
        "operationId": "report_log",
        "summary": "Reports an error that happened in a browser",
        "tags": ["gateway"],
        "parameters": [{ "$ref": "#/components/parameters/lang" }],
        "requestBody": { "required": true, "content": {
            "application/json": { "schema": body },
            "application/x-www-form-urlencoded": { "schema": body },
        } },
        "responses": responses,
    } })
}

/// `/api/hq/stream`.
pub(super) fn stream(generator: &mut Generator<'_>, pool: &DescriptorPool) -> Value {
    let quote = pool.get_message_by_name(stream::QUOTE);
    let quote = quote.map_or_else(|| json!({}), |quote| generator.schemas.reference(&quote));
    let mut responses = Map::new();
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
    refer(&mut responses, &[400, 429, 503, 504]);
    json!({ "get": {
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
        "x-rpc": stream::RPC.join("."),
    } })
}

/// `/api/woms/feedback/submit`.
pub(super) fn upload(generator: &mut Generator<'_>, pool: &DescriptorPool) -> Value {
    let file = json!({
        "type": "string",
        "contentMediaType": "image/jpeg, image/png, image/bmp",
        "description": "JPEG, PNG or BMP by content, 500 KB to 5 MB.",
    });
    let head = pool.get_message_by_name(upload::HEAD);
    let fields = head.iter().flat_map(MessageDescriptor::fields);
    let mut form = generator.sent().object(fields, Encoding::Form);
    form["properties"]["files"] =
        json!({ "type": "array", "maxItems": upload::FILES, "items": file });
    let answer = pool.get_message_by_name(upload::ANSWER);
    let data = answer.map_or_else(|| json!({}), |answer| generator.schemas.reference(&answer));
    let mut responses = Map::new();
    responses.insert(
        "200".to_owned(),
        json!({
            "description": "Success.",
            "content": { "application/json": { "schema": envelope(&data) } },
        }),
    );
    refer(&mut responses, &[400, 401, 403, 408, 413, 415, 422, 429, 500, 503, 504]);
    json!({ "post": {
        "operationId": "submit_feedback_post",
        "summary": "Hands in feedback or a complaint, with up to three pictures",
        "description": "Texts that stand before the files are judged before them. At most 16 MB in all.",
        "tags": ["identity"],
        "parameters": [{ "$ref": "#/components/parameters/lang" }],
        "requestBody": { "required": true, "content": { "multipart/form-data": {
            "schema": form,
        } } },
        "responses": responses,
        "x-rpc": upload::RPC.join("."),
    } })
}

fn refer(responses: &mut Map<String, Value>, statuses: &[u16]) {
    for status in statuses {
        let reference = format!("#/components/responses/{status}");
        responses.insert(status.to_string(), json!({ "$ref": reference }));
    }
}
