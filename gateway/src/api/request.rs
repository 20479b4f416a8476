//! Reads parameters into a request message, by the types of its fields.

use std::collections::BTreeMap;

use prost_reflect::{
    DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};
use serde_json::{Map, Number, Value as Json};

use super::params::{self, Params, REPEATED};
use crate::visitor::Locale;

/// Reasons why fields are rejected, by the field's name in the request.
pub(super) type FieldErrors = BTreeMap<String, String>;

/// The greatest integer that every JSON parser represents exactly: 2^53 - 1.
pub(super) const MAX_EXACT_NUMBER: i64 = 9_007_199_254_740_991;

/// Reads the valid fields of a request message, and the errors of the others. Unknown parameters are ignored, path
/// values take precedence, and an empty value is absent.
pub(super) fn read(
    descriptor: &MessageDescriptor,
    params: &Params,
    path_values: &[(String, String)],
) -> (DynamicMessage, FieldErrors) {
    let mut errors = FieldErrors::new();
    let message = fields(descriptor, |field| {
        let in_path = path_values.iter().find(|(name, _)| name == field.name());
        match (in_path, params) {
            (Some((_, text)), _) => {
                valid(scalar(&field.kind(), text), field.json_name(), &mut errors)
            }
            (None, Params::Pairs(pairs)) => of_pairs(field, pairs, &mut errors),
            (None, Params::Json(map)) => of_member(field, map, field.json_name(), &mut errors),
            (None, Params::Malformed { .. }) => None,
        }
    });
    (message, errors)
}

fn fields(
    descriptor: &MessageDescriptor,
    mut value_of: impl FnMut(&FieldDescriptor) -> Option<Value>,
) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    for field in descriptor.fields() {
        if let Some(value) = value_of(&field) {
            message.set_field(&field, value);
        }
    }
    message
}

/// A valid value; otherwise adds the reason to `errors`, under the path of the value.
fn valid<T>(
    value: Result<T, impl Into<String>>,
    path: &str,
    errors: &mut FieldErrors,
) -> Option<T> {
    value.map_err(|why| errors.insert(path.to_owned(), why.into())).ok()
}

fn of_pairs(
    field: &FieldDescriptor,
    pairs: &[(String, String)],
    errors: &mut FieldErrors,
) -> Option<Value> {
    let (name, kind) = (field.json_name(), field.kind());
    let sent = pairs.iter().filter(|(sent, _)| sent == name).map(|(_, value)| value.as_str());
    let sent = sent.collect::<Vec<_>>();
    let is_message = kind.as_message().is_some();
    match sent[..] {
        [] | [""] => None,
        [text] if is_message || field.is_list() && text.starts_with('[') => {
            let json = valid(params::json(text.as_bytes()), name, errors)?;
            of_json(field, &json, name, errors)
        }
        _ if field.is_list() && !is_message => {
            let items = sent.iter().filter(|text| !text.is_empty()).enumerate();
            let items = items.filter_map(|(index, text)| {
                valid(scalar(&kind, text), &format!("{name}[{index}]"), errors)
            });
            Some(Value::List(items.collect()))
        }
        [text] => valid(scalar(&kind, text), name, errors),
        _ => valid(Err(REPEATED), name, errors),
    }
}

/// The value of a field in a JSON object.
fn of_member(
    field: &FieldDescriptor,
    object: &Map<String, Json>,
    path: &str,
    errors: &mut FieldErrors,
) -> Option<Value> {
    match object.get(field.json_name())? {
        Json::Null => None,
        // Empty text is absent, as in a form.
        Json::String(text) if text.is_empty() => None,
        json => of_json(field, json, path, errors),
    }
}

fn of_json(
    field: &FieldDescriptor,
    json: &Json,
    path: &str,
    errors: &mut FieldErrors,
) -> Option<Value> {
    let kind = field.kind();
    if !field.is_list() {
        return single_of_json(&kind, json, path, errors);
    }
    let list = valid(json.as_array().ok_or("must be a list"), path, errors)?;
    let items = list.iter().enumerate().filter_map(|(index, json)| {
        single_of_json(&kind, json, &format!("{path}[{index}]"), errors)
    });
    Some(Value::List(items.collect()))
}

fn single_of_json(kind: &Kind, json: &Json, path: &str, errors: &mut FieldErrors) -> Option<Value> {
    let text = match (kind, json) {
        (Kind::Message(descriptor), Json::Object(object)) => {
            let inner = fields(descriptor, |field| {
                of_member(field, object, &format!("{path}.{}", field.json_name()), errors)
            });
            return Some(Value::Message(inner));
        }
        (Kind::Message(_), _) => None,
        (_, Json::String(text)) => Some(text.clone()),
        (Kind::Bool, Json::Bool(value)) => Some(value.to_string()),
        // Callers may also send ids, codes and telephone numbers, which are text, as numbers.
        (Kind::String, Json::Number(number)) => whole(number),
        // As in a form, 1 is true.
        (_, Json::Number(number)) => Some(whole(number).unwrap_or_else(|| number.to_string())),
        _ => None,
    };
    let value = text.ok_or_else(|| expected(kind)).and_then(|text| scalar(kind, &text));
    valid(value, path, errors)
}

/// The digits of an integral JSON number: 4.0 and 4e0 are 4. `None` for fractions and beyond [`MAX_EXACT_NUMBER`].
fn whole(number: &Number) -> Option<String> {
    let value = number.as_f64()?;
    let is_exact = value.fract() == 0.0 && value.abs() <= MAX_EXACT_NUMBER as f64;
    // Adding 0 turns -0 into 0.
    is_exact.then(|| format!("{:.0}", value + 0.0))
}

/// Reads one value from text by its type.
fn scalar(kind: &Kind, text: &str) -> Result<Value, &'static str> {
    let value = match kind {
        // PostgreSQL does not store NUL.
        Kind::String if text.contains('\0') => return Err("must not hold the character U+0000"),
        Kind::String => Some(Value::String(text.to_owned())),
        Kind::Bool => match text {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        Kind::Uint32 => integer(text).map(Value::U32),
        Kind::Uint64 => integer(text).map(Value::U64),
        Kind::Enum(descriptor) => enumeration(descriptor, text),
        // The router rejects other scalars.
        _ => None,
    };
    value.ok_or_else(|| expected(kind))
}

/// Parses a decimal without plus sign or leading zeros.
fn integer<T: std::str::FromStr>(text: &str) -> Option<T> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    (plain && (digits == "0" || !digits.starts_with('0'))).then(|| text.parse().ok())?
}

fn enumeration(descriptor: &EnumDescriptor, text: &str) -> Option<Value> {
    let known = match integer::<i32>(text) {
        Some(number) => descriptor.get_value(number),
        None => descriptor.get_value_by_name(text),
    };
    known.map(|value| Value::EnumNumber(value.number()))
}

fn expected(kind: &Kind) -> &'static str {
    match kind {
        Kind::String => "must be text",
        Kind::Bool => "must be true or false",
        Kind::Uint32 => "must be a whole number from 0 to 4294967295",
        Kind::Uint64 => "must be a whole number from 0 to 18446744073709551615",
        Kind::Enum(_) => "must be one of the declared values",
        _ => "must be an object",
    }
}

/// Sets the field `locale` of a request, if it exists and is empty.
pub(super) fn fill_locale(message: &mut DynamicMessage, locale: Locale) {
    let Some(field) = message.descriptor().get_field_by_name("locale") else { return };
    let plain = matches!(field.kind(), Kind::String) && !field.is_list();
    if plain && message.get_field(&field).as_str() == Some("") {
        message.set_field(&field, Value::String(locale.as_str().to_owned()));
    }
}

/// The public name of a field in a service's error: `list[0].security_code` → `list[0].securityCode`.
pub(super) fn public_name(message: &MessageDescriptor, field: &str) -> String {
    let (head, rest) = field.split_at(field.find(['.', '[']).unwrap_or(field.len()));
    let Some(known) = message.get_field_by_name(head) else { return field.to_owned() };
    let inner = match (known.kind(), rest.split_once('.')) {
        (Kind::Message(inner), Some((at, rest))) => format!("{at}.{}", public_name(&inner, rest)),
        _ => rest.to_owned(),
    };
    format!("{}{inner}", known.json_name())
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
