//! JSON schemas of responses.

use std::collections::BTreeMap;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::{RedactedFields, comments::Comments, schema_name};

/// The messages that were referenced.
pub(super) struct ResponseSchemas<'a> {
    redacted: &'a RedactedFields,
    messages: BTreeMap<String, MessageDescriptor>,
}

impl<'a> ResponseSchemas<'a> {
    /// No schemas yet; they omit `redacted` fields.
    pub(super) fn new(redacted: &'a RedactedFields) -> Self {
        Self { redacted, messages: BTreeMap::new() }
    }

    /// A reference to a response message, which [`ResponseSchemas::finish`] will contain.
    pub(super) fn reference(&mut self, message: &MessageDescriptor) -> Value {
        let name = schema_name(message);
        let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
        if self.messages.insert(name, message.clone()).is_none() {
            for field in self.redacted.public_fields(message) {
                self.field_schema(&field);
            }
        }
        reference
    }

    /// All referenced schemas, by name.
    pub(super) fn finish(&mut self, comments: &Comments) -> Map<String, Value> {
        let messages = self.messages.clone();
        messages
            .into_iter()
            .map(|(name, message)| (name, self.object(&message, comments)))
            .collect()
    }

    fn object(&mut self, message: &MessageDescriptor, comments: &Comments) -> Value {
        let fields = self.redacted.public_fields(message).collect::<Vec<_>>();
        let required = fields.iter().map(|field| field.json_name().to_owned()).collect::<Vec<_>>();
        let properties = fields.iter().map(|field| {
            let mut schema = self.field_schema(field);
            let text = comments.of(&message.parent_file(), field.path());
            if !text.is_empty() {
                schema["description"] = text.into();
            }
            (field.json_name().to_owned(), schema)
        });
        let properties = properties.collect::<Map<_, _>>();
        let mut object =
            json!({ "type": "object", "required": required, "properties": properties });
        let text = comments.of(&message.parent_file(), message.path());
        if !text.is_empty() {
            object["description"] = text.into();
        }
        object
    }

    /// A field of a response, which is always present; absent messages are `null`.
    fn field_schema(&mut self, field: &FieldDescriptor) -> Value {
        if field.is_map() {
            let Kind::Message(entry) = field.kind() else { return json!({}) };
            let value = self.single(&entry.map_entry_value_field().kind());
            return json!({ "type": "object", "additionalProperties": value });
        }
        let single = self.single(&field.kind());
        if field.is_list() {
            return json!({ "type": "array", "items": single });
        }
        match field.supports_presence() {
            true => json!({ "anyOf": [single, { "type": "null" }] }),
            false => single,
        }
    }

    fn single(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Message(message) => self.reference(message),
            Kind::String => json!({ "type": "string" }),
            Kind::Bool => json!({ "type": "boolean" }),
            Kind::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
            Kind::Float | Kind::Double => json!({ "type": "number" }),
            Kind::Uint32 | Kind::Fixed32 => {
                json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                json!({ "type": "integer", "format": "int32" })
            }
            Kind::Uint64 | Kind::Fixed64 => json!({ "type": "string", "pattern": "^[0-9]{1,20}$" }),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                json!({ "type": "string", "pattern": "^-?[0-9]{1,19}$" })
            }
            Kind::Enum(descriptor) => {
                let values = descriptor.values().map(|value| value.number()).collect::<Vec<_>>();
                let names = descriptor.values().map(|value| value.name().to_owned());
                json!({
                    "type": "integer",
                    "enum": values,
                    "x-enum-varnames": names.collect::<Vec<_>>(),
                })
            }
        }
    }
}
