//! Validation rules for the fields of requests, from the protos (`sahm.options.v1.rules`). They are checked before a
//! service is called, and described by OpenAPI.

use std::collections::HashMap;

use prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value};
pub(super) use sahm_proto::options::v1::Rules;

use super::{policy::message_option, request::FieldErrors};

/// Reason why an absent or empty field is rejected.
const REQUIRED: &str = "is required";

/// Rules by the full names of their fields.
#[derive(Debug, Default)]
pub(super) struct FieldRules(HashMap<String, Rules>);

impl FieldRules {
    /// Reads the options of every field in the pool.
    pub(super) fn read(pool: &DescriptorPool) -> Self {
        let fields = pool.all_messages().flat_map(|message| message.fields().collect::<Vec<_>>());
        let rules = fields.filter_map(|field| {
            let rules = message_option(pool, &field.options(), "sahm.options.v1.rules")?;
            Some((field.full_name().to_owned(), rules))
        });
        Self(rules.collect())
    }

    pub(super) fn of(&self, field: &FieldDescriptor) -> Option<&Rules> {
        self.0.get(field.full_name())
    }

    /// Validates a request and adds violations to `errors`; fields in `errors` are skipped. Empty items of
    /// comma-separated lists are removed.
    pub(super) fn validate(&self, message: &mut DynamicMessage, errors: &mut FieldErrors) {
        self.validate_within(message, "", errors);
    }

    fn validate_within(
        &self,
        message: &mut DynamicMessage,
        prefix: &str,
        errors: &mut FieldErrors,
    ) {
        for field in message.descriptor().fields() {
            let name = format!("{prefix}{}", field.json_name());
            let is_named = |key: &String| {
                let rest = key.strip_prefix(&*name);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
            };
            if errors.keys().any(is_named) {
                continue;
            }
            if let Some(rules) = self.of(&field).filter(|rules| !rules.judged_by_service)
                && let Err(why) = validate(rules, message, &field)
            {
                errors.insert(name, why);
                continue;
            }
            if field.kind().as_message().is_none() || !message.has_field(&field) {
                continue;
            }
            match message.get_field_mut(&field) {
                Value::Message(inner) => self.validate_within(inner, &format!("{name}."), errors),
                Value::List(items) => {
                    for (at, item) in items.iter_mut().enumerate() {
                        if let Value::Message(inner) = item {
                            self.validate_within(inner, &format!("{name}[{at}]."), errors);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn validate(
    rules: &Rules,
    message: &mut DynamicMessage,
    field: &FieldDescriptor,
) -> Result<(), String> {
    if rules.comma_list {
        let value = message.get_field(field);
        let items =
            value.as_str().unwrap_or_default().split(',').map(|item| item.trim_matches(' '));
        let items = items.filter(|item| !item.is_empty()).collect::<Vec<_>>();
        validate_count(rules, items.len())?;
        items.iter().try_for_each(|item| validate_text(rules, item))?;
        let cleaned = Value::String(items.join(","));
        message.set_field(field, cleaned);
        return Ok(());
    }
    if !message.has_field(field) {
        return match rules.required {
            true if matches!(field.kind(), Kind::Bool) && !field.supports_presence() => {
                Err("must be true".to_owned())
            }
            true => Err(REQUIRED.to_owned()),
            false => Ok(()),
        };
    }
    match &*message.get_field(field) {
        Value::List(items) => validate_count(rules, items.len()),
        Value::String(text) if text.is_empty() => validate_count(rules, 0),
        Value::String(text) => validate_text(rules, text),
        Value::U32(number) => validate_number(rules, u64::from(*number)),
        Value::U64(number) => validate_number(rules, *number),
        Value::EnumNumber(number) => {
            validate_number(rules, u64::try_from(*number).unwrap_or_default())
        }
        _ => Ok(()),
    }
}

fn validate_count(rules: &Rules, count: usize) -> Result<(), String> {
    if count == 0 && rules.required {
        return Err(REQUIRED.to_owned());
    }
    if rules.max_items > 0 && count > rules.max_items as usize {
        return Err(format!("must be at most {} items", rules.max_items));
    }
    Ok(())
}

fn validate_text(rules: &Rules, text: &str) -> Result<(), String> {
    let length = text.chars().count();
    if length < rules.min_length as usize {
        return Err(format!("must be at least {} characters", rules.min_length));
    }
    if rules.max_length > 0 && length > rules.max_length as usize {
        return Err(format!("must be at most {} characters", rules.max_length));
    }
    if !rules.characters.is_empty() && !text.chars().all(|letter| has_character(rules, letter)) {
        return Err(format!("may hold only the characters {}", rules.characters));
    }
    if !rules.one_of.is_empty() && !rules.one_of.iter().any(|allowed| allowed == text) {
        return Err(format!("must be one of {}", rules.one_of.join(", ")));
    }
    Ok(())
}

fn validate_number(rules: &Rules, number: u64) -> Result<(), String> {
    match (rules.minimum, rules.maximum) {
        (Some(minimum), Some(maximum)) if !(minimum..=maximum).contains(&number) => {
            Err(format!("must be {minimum} to {maximum}"))
        }
        (Some(minimum), _) if number < minimum => Err(format!("must be at least {minimum}")),
        (_, Some(maximum)) if number > maximum => Err(format!("must be at most {maximum}")),
        _ => Ok(()),
    }
}

/// Whether the character class `characters` contains a letter.
pub(super) fn has_character(rules: &Rules, letter: char) -> bool {
    let mut rest = rules.characters.chars();
    while let Some(first) = rest.next() {
        let mut ahead = rest.clone();
        let last = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(last)) => {
                rest = ahead;
                last
            }
            _ => first,
        };
        if (first..=last).contains(&letter) {
            return true;
        }
    }
    false
}
