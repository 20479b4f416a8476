//! Reads parameters into a request message, by the types of its fields.

use std::collections::{BTreeMap, HashMap};

use base64::{Engine, engine::general_purpose};
use prost_reflect::{
    DynamicMessage, EnumDescriptor, FieldDescriptor, Kind, MapKey, MessageDescriptor,
    ReflectMessage, Value,
};
use serde_json::{Number, Value as Json};

use super::params::{self, Params, REPEATED};
use crate::visitor::Locale;

/// Reasons why fields are rejected, by the field's name in the request.
pub(super) type FieldErrors = BTreeMap<String, String>;

/// The greatest integer that every JSON parser represents exactly: 2^53 - 1.
pub(super) const MAX_EXACT_NUMBER: i64 = 9_007_199_254_740_991;

/// Why a value is rejected: a path inside the value (empty for the value itself), and the reason.
type FieldError = (String, String);

/// As [`read`], for requests whose fields have no rules.
///
/// # Errors
/// The errors of all invalid fields.
pub(super) fn message(
    descriptor: MessageDescriptor,
    params: &Params,
    path_values: &[(String, String)],
) -> Result<DynamicMessage, FieldErrors> {
    let (message, errors) = read(descriptor, params, path_values);
    if errors.is_empty() { Ok(message) } else { Err(errors) }
}

/// Reads the valid fields of a request message. Unknown parameters are ignored, path values take precedence, and an
/// empty value is absent.
pub(super) fn read(
    descriptor: MessageDescriptor,
    params: &Params,
    path_values: &[(String, String)],
) -> (DynamicMessage, FieldErrors) {
    let mut message = DynamicMessage::new(descriptor.clone());
    let mut errors = FieldErrors::new();
    for field in descriptor.fields() {
        let in_path = path_values.iter().find(|(name, _)| name == field.name());
        let value = match (in_path, params) {
            (Some((_, text)), _) => scalar_of_text(&field.kind(), text).map(Some).map_err(here),
            (None, Params::Pairs(pairs)) => of_pairs(&field, pairs),
            (None, Params::Malformed(_)) => Ok(None),
            (None, Params::Json(map)) => match map.get(field.json_name()) {
                None | Some(Json::Null) => Ok(None),
                // Empty text is absent, as in a form.
                Some(Json::String(text)) if text.is_empty() => Ok(None),
                Some(json) => of_json(&field, json).map(Some),
            },
        };
        match value {
            Ok(Some(value)) => message.set_field(&field, value),
            Ok(None) => {}
            Err(inner) => errors.extend(
                inner.into_iter().map(|(at, why)| (format!("{}{at}", field.json_name()), why)),
            ),
        }
    }
    (message, errors)
}

fn here(why: &str) -> Vec<FieldError> {
    vec![(String::new(), why.to_owned())]
}

/// Prefixes the paths of errors with the part that they are in.
fn within(part: &str, errors: impl IntoIterator<Item = FieldError>) -> Vec<FieldError> {
    errors.into_iter().map(|(at, why)| (format!("{part}{at}"), why)).collect()
}

/// All items, or the errors of all invalid items.
fn list_of(
    items: impl Iterator<Item = Result<Value, Vec<FieldError>>>,
) -> Result<Value, Vec<FieldError>> {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for (at, item) in items.enumerate() {
        match item {
            Ok(value) => values.push(value),
            Err(inner) => errors.extend(within(&format!("[{at}]"), inner)),
        }
    }
    if errors.is_empty() { Ok(Value::List(values)) } else { Err(errors) }
}

fn of_pairs(
    field: &FieldDescriptor,
    pairs: &[(String, String)],
) -> Result<Option<Value>, Vec<FieldError>> {
    let sent = pairs.iter().filter(|(name, _)| name == field.json_name());
    let sent = sent.map(|(_, value)| value.as_str()).collect::<Vec<_>>();
    let [first, rest @ ..] = sent.as_slice() else { return Ok(None) };
    let structured = field.is_map() || field.kind().as_message().is_some();
    if rest.is_empty() && (structured || field.is_list() && first.starts_with('[')) {
        if first.is_empty() {
            return Ok(None);
        }
        let json = params::json(first.as_bytes()).map_err(|why| here(&why))?;
        return of_json(field, &json).map(Some);
    }
    if field.is_list() && !structured {
        let kind = field.kind();
        let values = sent.iter().filter(|text| !text.is_empty());
        let values = values.map(|text| scalar_of_text(&kind, text).map_err(here));
        return list_of(values).map(Some);
    }
    match (rest, *first) {
        ([], "") => Ok(None),
        ([], text) => scalar_of_text(&field.kind(), text).map(Some).map_err(here),
        _ => Err(here(REPEATED)),
    }
}

fn of_json(field: &FieldDescriptor, json: &Json) -> Result<Value, Vec<FieldError>> {
    if field.is_map() {
        return map_of_json(field, json);
    }
    if !field.is_list() {
        return single_of_json(&field.kind(), json);
    }
    let list = json.as_array().ok_or_else(|| here("must be a list"))?;
    let kind = field.kind();
    list_of(list.iter().map(|json| single_of_json(&kind, json)))
}

fn map_of_json(field: &FieldDescriptor, json: &Json) -> Result<Value, Vec<FieldError>> {
    let object = json.as_object().ok_or_else(|| here("must be an object"))?;
    let Kind::Message(entry) = field.kind() else { return Err(here("must be an object")) };
    let (key_kind, value_kind) =
        (entry.map_entry_key_field().kind(), entry.map_entry_value_field().kind());
    let mut map = HashMap::new();
    for (key, json) in object {
        let inside = |why: &str| within(&format!(".{key}"), here(why));
        let key_value = scalar_of_text(&key_kind, key).map_err(inside)?;
        let key_value: MapKey = key_value.into_map_key().ok_or_else(|| inside("is not a key"))?;
        let value = single_of_json(&value_kind, json)
            .map_err(|errors| within(&format!(".{key}"), errors))?;
        map.insert(key_value, value);
    }
    Ok(Value::Map(map))
}

fn single_of_json(kind: &Kind, json: &Json) -> Result<Value, Vec<FieldError>> {
    match (kind, json) {
        (Kind::Message(descriptor), Json::Object(map)) => {
            let inner = message(descriptor.clone(), &Params::Json(map.clone()), &[]);
            inner.map(Value::Message).map_err(|errors| within(".", errors))
        }
        (Kind::Message(_), _) => Err(here("must be an object")),
        (Kind::String | Kind::Bytes, Json::String(text)) => {
            scalar_of_text(kind, text).map_err(here)
        }
        // Callers may also send ids, codes and telephone numbers, which are text, as numbers.
        (Kind::String, Json::Number(number)) => {
            whole(number).map(Value::String).ok_or_else(|| here("must be text"))
        }
        (Kind::String | Kind::Bytes, _) => Err(here("must be text")),
        (Kind::Bool, Json::Bool(value)) => Ok(Value::Bool(*value)),
        (_, Json::String(text)) => scalar_of_text(kind, text).map_err(here),
        (Kind::Float | Kind::Double | Kind::Enum(_), Json::Number(number)) => {
            scalar_of_text(kind, &number.to_string()).map_err(here)
        }
        // As in a form, 1 is true.
        (_, Json::Number(number)) => {
            let text = whole(number).unwrap_or_else(|| number.to_string());
            scalar_of_text(kind, &text).map_err(here)
        }
        (kind, _) => Err(here(expected(kind))),
    }
}

/// The digits of an integral JSON number: 4.0 and 4e0 are 4. `None` for fractions and beyond [`MAX_EXACT_NUMBER`].
fn whole(number: &Number) -> Option<String> {
    let value = number.as_f64()?;
    let is_exact = value.fract() == 0.0 && value.abs() <= MAX_EXACT_NUMBER as f64;
    // Adding 0 turns -0 into 0.
    is_exact.then(|| format!("{:.0}", value + 0.0))
}

/// Reads one value from text by its type.
fn scalar_of_text(kind: &Kind, text: &str) -> Result<Value, &'static str> {
    let invalid = || expected(kind);
    let finite = |value: &f64| value.is_finite();
    match kind {
        // PostgreSQL does not store NUL.
        Kind::String if text.contains('\0') => Err("must not hold the character U+0000"),
        Kind::String => Ok(Value::String(text.to_owned())),
        Kind::Bool => match text {
            "true" | "1" => Ok(Value::Bool(true)),
            "false" | "0" => Ok(Value::Bool(false)),
            _ => Err(invalid()),
        },
        Kind::Uint32 | Kind::Fixed32 => integer(text).map(Value::U32).ok_or_else(invalid),
        Kind::Uint64 | Kind::Fixed64 => integer(text).map(Value::U64).ok_or_else(invalid),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
            integer(text).map(Value::I32).ok_or_else(invalid)
        }
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
            integer(text).map(Value::I64).ok_or_else(invalid)
        }
        Kind::Double => text.parse().ok().filter(finite).map(Value::F64).ok_or_else(invalid),
        Kind::Float => {
            let value = text.parse::<f32>().ok().filter(|value| value.is_finite());
            value.map(Value::F32).ok_or_else(invalid)
        }
        Kind::Enum(descriptor) => enumeration(descriptor, text).ok_or_else(invalid),
        Kind::Bytes => {
            let unpadded = text.trim_end_matches('=');
            let bytes = general_purpose::STANDARD_NO_PAD
                .decode(unpadded)
                .or_else(|_| general_purpose::URL_SAFE_NO_PAD.decode(unpadded));
            bytes.map(|bytes| Value::Bytes(bytes.into())).map_err(|_| invalid())
        }
        Kind::Message(_) => Err(invalid()),
    }
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
        Kind::Uint32 | Kind::Fixed32 => "must be a whole number from 0 to 4294967295",
        Kind::Uint64 | Kind::Fixed64 => "must be a whole number from 0 to 18446744073709551615",
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
            "must be a whole number from -2147483648 to 2147483647"
        }
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "must be a whole number of 64 bits",
        Kind::Double | Kind::Float => "must be a number",
        Kind::Enum(_) => "must be one of the declared values",
        Kind::Bytes => "must be base64",
        Kind::Message(_) => "must be an object",
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
