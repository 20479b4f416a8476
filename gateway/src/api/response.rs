//! Encodes a response message as JSON: all fields in the order of the proto, except redacted ones.

use prost_reflect::{DynamicMessage, ReflectMessage, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::redaction::RedactedFields;

/// A message as JSON `data`: with default values, absent messages as `null`, 64-bit integers as strings, 32-bit
/// integers and enums as numbers.
pub(super) struct Data<'a>(pub(super) &'a DynamicMessage, pub(super) &'a RedactedFields);

struct Single<'a>(&'a Value, &'a RedactedFields);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let descriptor = self.0.descriptor();
        let mut map = serializer.serialize_map(None)?;
        for field in self.1.public_fields(&descriptor) {
            let is_present = !field.supports_presence() || self.0.has_field(&field);
            let value = is_present.then(|| self.0.get_field(&field));
            let value = value.as_deref().map(|value| Single(value, self.1));
            map.serialize_entry(field.json_name(), &value)?;
        }
        map.end()
    }
}

impl Serialize for Single<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::I32(value) | Value::EnumNumber(value) => serializer.serialize_i32(*value),
            Value::U32(value) => serializer.serialize_u32(*value),
            Value::U64(value) => serializer.collect_str(value),
            // JSON has no infinity and no NaN.
            Value::F64(value) if value.is_finite() => serializer.serialize_f64(*value),
            Value::String(value) => serializer.serialize_str(value),
            Value::Message(value) => Data(value, self.1).serialize(serializer),
            Value::List(values) => {
                serializer.collect_seq(values.iter().map(|value| Single(value, self.1)))
            }
            // The router rejects other types.
            _ => serializer.serialize_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_declared_field_is_present_in_order() {
        let pool = crate::dynamic_grpc_client::pool().unwrap();
        let descriptor = pool.get_message_by_name("sahm.content.v1.ArticleSummary").unwrap();
        let mut article = DynamicMessage::new(descriptor);
        article.set_field_by_name("id", Value::U64(u64::MAX));
        article.set_field_by_name("published_at", Value::U32(7));
        let json = serde_json::to_string(&Data(&article, &RedactedFields::read(&pool))).unwrap();
        assert_eq!(
            json,
            "{\"id\":\"18446744073709551615\",\"locale\":\"\",\"title\":\"\",\"summary\":\"\",\
             \"market\":\"\",\"publishedAt\":7,\"image\":null,\"readCount\":\"0\",\"sample\":false,\
             \"readingMinutes\":0}"
        );
    }
}
