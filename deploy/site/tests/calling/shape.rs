//! Compares responses with documented ones, in which `…` stands for omitted parts.

use serde_json::Value;

const OMITTED: &str = "…";

/// Describes the first difference between a response and the documented one.
///
/// The text `…` matches any value, and a text that ends in `…` matches any text with this prefix. As a list's last item
/// or an object's last key, `…` matches all remaining ones.
pub(crate) fn difference(shown: &Value, response: &Value) -> Option<String> {
    match (shown, response) {
        (Value::String(text), _) if text == OMITTED => None,
        (Value::String(shown), Value::String(text)) => {
            let fits = match shown.strip_suffix(OMITTED) {
                Some(begin) => text.starts_with(begin),
                None => shown == text,
            };
            (!fits).then(|| format!("{text:?} instead of {shown:?}"))
        }
        (Value::Array(shown), Value::Array(items)) => {
            let is_open = shown.last().is_some_and(|last| last == OMITTED);
            let named = &shown[..shown.len() - usize::from(is_open)];
            if items.len() < named.len() || (items.len() > named.len() && !is_open) {
                return Some(format!("{} items instead of {}", items.len(), named.len()));
            }
            let pairs = named.iter().zip(items).enumerate();
            pairs.filter_map(|(at, (shown, item))| within(&at.to_string(), shown, item)).next()
        }
        (Value::Object(shown), Value::Object(fields)) => {
            let is_open = shown.contains_key(OMITTED);
            let more = fields.keys().find(|name| !is_open && !shown.contains_key(*name));
            if let Some(name) = more {
                return Some(format!("{name} is not shown"));
            }
            let mut named = shown.iter().filter(|(name, _)| *name != OMITTED);
            named.find_map(|(name, shown)| match fields.get(name) {
                Some(value) => within(name, shown, value),
                None => Some(format!("no {name}")),
            })
        }
        (shown, response) => (shown != response).then(|| format!("{response} instead of {shown}")),
    }
}

fn within(place: &str, shown: &Value, response: &Value) -> Option<String> {
    difference(shown, response).map(|difference| format!("{place}: {difference}"))
}

#[test]
fn ellipsis_matches_anything_and_other_values_must_match() {
    use serde_json::json;
    let response = json!({"id": "1", "items": [{"a": 1}, {"a": 2}], "name": "Sahm"});
    for (shown, is_alike) in [
        (json!("…"), true),
        (json!({"…": ""}), true),
        (json!({"id": "1", "…": ""}), true),
        (json!({"id": "2", "…": ""}), false),
        (json!({"id": "1"}), false),
        (json!({"id": "1", "items": ["…"], "name": "Sa…"}), true),
        (json!({"id": "1", "items": [{"a": 1}, "…"], "name": "…"}), true),
        (json!({"id": "1", "items": [{"a": 1}], "name": "…"}), false),
        (json!({"id": "1", "items": [{"a": 2}, "…"], "name": "…"}), false),
        (json!({"id": "1", "items": "…", "name": "sa…"}), false),
        (json!({"other": "…", "…": ""}), false),
    ] {
        assert_eq!(difference(&shown, &response).is_none(), is_alike, "{shown}");
    }
}
