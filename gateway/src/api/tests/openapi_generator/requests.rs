//! JSON schemas of requests: exactly the values that types and rules of fields allow.

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::comments::Comments;
use crate::api::{
    request::MAX_EXACT_NUMBER,
    rules::{FieldRules, Rules, has_character},
};

/// How a value is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// As JSON; numbers and booleans may also be strings, and `null` is absent.
    Json,
    /// In a form, where everything is text.
    Form,
    /// In a path or query, where everything is text; numbers are described as numbers.
    Query,
}

/// Writes the schemas of requests.
pub(super) struct RequestSchemas<'a> {
    pub(super) rules: &'a FieldRules,
    pub(super) comments: &'a Comments,
}

impl RequestSchemas<'_> {
    /// An object with these fields and their `required`.
    pub(super) fn object(
        &self,
        fields: impl IntoIterator<Item = FieldDescriptor>,
        encoding: Encoding,
    ) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in fields {
            if self.is_required(&field) {
                required.push(field.json_name().to_owned());
            }
            properties.insert(field.json_name().to_owned(), self.described(&field, encoding));
        }
        json!({ "type": "object", "required": required, "properties": properties })
    }

    pub(super) fn is_required(&self, field: &FieldDescriptor) -> bool {
        self.rules.of(field).is_some_and(|rules| rules.required)
    }

    /// The comment of a field.
    pub(super) fn description(&self, field: &FieldDescriptor) -> String {
        self.comments.of(&field.parent_message().parent_file(), field.path())
    }

    /// A field with its description and example.
    pub(super) fn described(&self, field: &FieldDescriptor, encoding: Encoding) -> Value {
        let mut schema = self.field(field, encoding);
        let text = self.description(field);
        if !text.is_empty() {
            schema["description"] = text.into();
        }
        let example = self.rules.of(field).map(|rules| rules.example.as_str()).unwrap_or_default();
        if !example.is_empty() {
            let is_number = matches!(field.kind(), Kind::Uint32);
            let number = example.parse::<u32>().ok().filter(|_| is_number);
            let example = number.map_or_else(|| Value::from(example), Value::from);
            schema["examples"] = json!([example]);
        }
        schema
    }

    /// The values that a field accepts.
    pub(super) fn field(&self, field: &FieldDescriptor, encoding: Encoding) -> Value {
        let none = Rules::default();
        let rules = self.rules.of(field).unwrap_or(&none);
        if field.is_list() && encoding == Encoding::Json {
            let mut list = json!({
                "type": "array",
                "items": self.single(field, rules, encoding),
            });
            if rules.required {
                list["minItems"] = 1.into();
            }
            if rules.max_items > 0 {
                list["maxItems"] = rules.max_items.into();
            }
            return list;
        }
        let single = self.single(field, rules, encoding);
        match (rules.required, encoding) {
            (true, _) => single,
            // Empty values and null are absent.
            (false, Encoding::Json) => json!({ "anyOf": [single, { "enum": ["", null] }] }),
            (false, _) if matches!(field.kind(), Kind::String) => single,
            (false, _) => json!({ "anyOf": [single, { "enum": [""] }] }),
        }
    }

    fn single(&self, field: &FieldDescriptor, rules: &Rules, encoding: Encoding) -> Value {
        match field.kind() {
            Kind::Message(message) if encoding != Encoding::Json => json!({
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": self.message(&message),
            }),
            Kind::Message(message) => self.message(&message),
            Kind::String => text(rules, encoding),
            Kind::Bool => boolean(rules, encoding),
            Kind::Enum(values) => {
                let is_allowed = |number: i32| {
                    let number = u64::try_from(number).unwrap_or_default();
                    rules.minimum.is_none_or(|least| number >= least)
                        && rules.maximum.is_none_or(|most| number <= most)
                };
                let values = values.values().filter(|value| is_allowed(value.number()));
                let spelt = values.flat_map(|value| {
                    let number = value.number();
                    let texts = [json!(number.to_string()), json!(value.name())];
                    let as_number = (encoding == Encoding::Json).then(|| json!(number));
                    as_number.into_iter().chain(texts).collect::<Vec<_>>()
                });
                json!({ "enum": spelt.collect::<Vec<_>>() })
            }
            Kind::Uint64 => json_and_text(rules, encoding, u64::MAX, true),
            Kind::Uint32 => json_and_text(rules, encoding, u32::MAX.into(), false),
            Kind::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
            Kind::Float | Kind::Double => json!({ "type": "number" }),
            _ => json!({ "type": "integer" }),
        }
    }

    fn message(&self, message: &MessageDescriptor) -> Value {
        self.object(message.fields(), Encoding::Json)
    }
}

fn text(rules: &Rules, encoding: Encoding) -> Value {
    if !rules.one_of.is_empty() && !rules.comma_list {
        let mut values = rules.one_of.clone();
        if !rules.required {
            values.push(String::new());
        }
        return json!({ "type": "string", "enum": values });
    }
    let is_bounded = rules.comma_list || !rules.characters.is_empty();
    let mut schema = json!({ "type": "string" });
    if let Some((minimum, maximum)) = number_bounds(rules).filter(|_| encoding == Encoding::Json) {
        schema = json!({ "type": ["string", "integer"], "minimum": minimum, "maximum": maximum });
    }
    let least = rules.min_length.max(u32::from(rules.required));
    if rules.comma_list {
        let item = match rules.one_of.is_empty() {
            true if rules.characters.is_empty() => r"[^,\s\u0000]{1,80}".to_owned(),
            true => format!("[{}]{{1,{}}}", rules.characters, rules.max_length),
            false => format!("({})", rules.one_of.join("|")),
        };
        let others = match rules.max_items {
            0 => "*".to_owned(),
            most => format!("{{0,{}}}", most - 1),
        };
        schema["pattern"] = format!("^[, ]*{item}([, ]*,[, ]*{item}){others}[, ]*$").into();
        return schema;
    }
    if is_bounded {
        let most = if rules.max_length > 0 { rules.max_length.to_string() } else { String::new() };
        let all = format!("[{}]{{{},{most}}}", rules.characters, least.max(1));
        let pattern = if rules.required { format!("^{all}$") } else { format!("^({all})?$") };
        schema["pattern"] = pattern.into();
    } else {
        schema["pattern"] = r"^[^\u0000]*$".into();
    }
    if least > 0 && rules.required {
        schema["minLength"] = least.into();
    }
    if rules.max_length > 0 {
        schema["maxLength"] = rules.max_length.into();
    }
    schema
}

/// The JSON numbers that are accepted as the text of their digits; `None` if only text is accepted.
fn number_bounds(rules: &Rules) -> Option<(i64, i64)> {
    let has = |letter| rules.characters.is_empty() || has_character(rules, letter);
    if rules.min_length > 0 || !rules.one_of.is_empty() || !('0'..='9').all(has) {
        return None;
    }
    let of_digits = |digits: u32| {
        let power = 10_i64.checked_pow(digits);
        power.map_or(MAX_EXACT_NUMBER, |power| MAX_EXACT_NUMBER.min(power - 1))
    };
    let digits = if rules.max_length > 0 { rules.max_length } else { u32::MAX };
    let minimum = if has('-') { -of_digits(digits - 1) } else { 0 };
    Some((minimum, of_digits(digits)))
}

fn boolean(rules: &Rules, encoding: Encoding) -> Value {
    let must_be_true = rules.one_of.iter().any(|text| text == "true");
    let spelt = match encoding {
        Encoding::Json => [json!([true, 1, "true", "1"]), json!([false, 0, "false", "0"])],
        _ => [json!(["true", "1"]), json!(["false", "0"])],
    };
    let spelt = spelt.into_iter().take(if must_be_true { 1 } else { 2 });
    let values = spelt.flat_map(|values| values.as_array().cloned().unwrap_or_default());
    json!({ "enum": values.collect::<Vec<_>>() })
}

/// An integer. In JSON, 64-bit integers are strings first, as in responses.
fn json_and_text(rules: &Rules, encoding: Encoding, most: u64, is_text_first: bool) -> Value {
    let least = rules.minimum.unwrap_or(0);
    let most = rules.maximum.unwrap_or(most);
    let number = json!({ "type": "integer", "minimum": least, "maximum": most });
    let digits = most.to_string().len() - 1;
    // Strings as long as the largest number may exceed it, so the patterns exclude them; small ranges are enumerated.
    let text = match most - least {
        0..100 => {
            let all = (least..=most).map(|number| number.to_string());
            json!({ "type": "string", "enum": all.collect::<Vec<_>>() })
        }
        _ if least == 0 => {
            json!({ "type": "string", "pattern": format!("^(0|[1-9][0-9]{{0,{}}})$", digits - 1) })
        }
        _ => json!({ "type": "string", "pattern": format!("^[1-9][0-9]{{0,{}}}$", digits - 1) }),
    };
    match encoding {
        Encoding::Query => number,
        Encoding::Form => text,
        Encoding::Json if is_text_first => json!({ "anyOf": [text, number] }),
        Encoding::Json => json!({ "anyOf": [number, text] }),
    }
}
