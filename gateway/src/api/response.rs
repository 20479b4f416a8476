//! Encodes a response message as JSON: all fields in the order of the proto, except redacted ones.

use base64::{Engine, engine::general_purpose::STANDARD};
use prost_reflect::{DynamicMessage, MapKey, ReflectMessage, Value};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::redaction::RedactedFields;

/// A message as JSON `data`: with default values, absent messages as `null`, 64-bit integers as strings, 32-bit
/// integers and enums as numbers, bytes as base64.
pub(super) struct Data<'a>(pub(super) &'a DynamicMessage, pub(super) &'a RedactedFields);

struct Single<'a>(&'a Value, &'a RedactedFields);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let descriptor = self.0.descriptor();
        let mut map = serializer.serialize_map(None)?;
        for field in self.1.public_fields(&descriptor) {
            if field.supports_presence() && !self.0.has_field(&field) {
                map.serialize_entry(field.json_name(), &())?;
                continue;
            }
            map.serialize_entry(field.json_name(), &Single(&self.0.get_field(&field), self.1))?;
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
            Value::I64(value) => serializer.collect_str(value),
            Value::U64(value) => serializer.collect_str(value),
            Value::F32(value) if value.is_finite() => serializer.serialize_f32(*value),
            Value::F64(value) if value.is_finite() => serializer.serialize_f64(*value),
            // JSON has no infinity and no NaN.
            Value::F32(_) | Value::F64(_) => serializer.serialize_none(),
            Value::String(value) => serializer.serialize_str(value),
            Value::Bytes(value) => serializer.serialize_str(&STANDARD.encode(value)),
            Value::Message(value) => Data(value, self.1).serialize(serializer),
            Value::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Single(value, self.1))?;
                }
                list.end()
            }
            Value::Map(values) => {
                let mut entries = values.iter().collect::<Vec<_>>();
                entries.sort_by(|left, right| left.0.cmp(right.0));
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(&key_text(key), &Single(value, self.1))?;
                }
                map.end()
            }
        }
    }
}

fn key_text(key: &MapKey) -> String {
    match key {
        MapKey::Bool(key) => key.to_string(),
        MapKey::I32(key) => key.to_string(),
        MapKey::I64(key) => key.to_string(),
        MapKey::U32(key) => key.to_string(),
        MapKey::U64(key) => key.to_string(),
        MapKey::String(key) => key.clone(),
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
