//! Names and types of responses, compared with `snapshots/`.
//!
//! `SNAPSHOTS=write` updates the snapshots; review the difference.
use std::{collections::BTreeMap, fs, path::PathBuf};

use serde_json::{Map, Value, json};

/// Merges a response of a call into its shape.
pub(crate) fn add(found: &mut BTreeMap<String, Value>, call: &str, data: &Value) {
    let known = found.entry(call.to_owned()).or_insert(Value::Null);
    *known = merged(known.take(), shape(data));
}

/// Asserts that the shapes equal the snapshots.
pub(crate) fn assert_snapshot(name: &str, found: &BTreeMap<String, Value>) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/api/rows/snapshots");
    let path = folder.join(format!("{name}.json"));
    if std::env::var("SNAPSHOTS").as_deref() == Ok("write") {
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, serde_json::to_string_pretty(found).unwrap() + "\n").unwrap();
    }
    let stored: BTreeMap<String, Value> =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(stored.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    for (call, shape) in found {
        assert_eq!(shape, &stored[call], "{call}");
    }
}

/// Replaces values by the names of their types; a list has the merged type of its items.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => json!("bool"),
        Value::Number(_) => json!("number"),
        Value::String(_) => json!("string"),
        Value::Array(items) => {
            json!([items.iter().map(shape).fold(Value::Null, merged)])
        }
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), shape(value)))
            .collect::<Map<_, _>>()
            .into(),
    }
}

/// Merges two shapes; `null` stands for an absent value.
fn merged(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Null, some) | (some, Value::Null) => some,
        (Value::Array(one), Value::Array(other)) => {
            json!([one.into_iter().chain(other).fold(Value::Null, merged)])
        }
        (Value::Object(one), Value::Object(mut other)) => {
            assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
            let both = one.into_iter().map(|(name, value)| {
                let more = other.get_mut(&name).map_or(Value::Null, Value::take);
                (name, merged(value, more))
            });
            both.collect::<Map<_, _>>().into()
        }
        (one, other) => {
            assert_eq!(one, other, "two types in one place");
            one
        }
    }
}
