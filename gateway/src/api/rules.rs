//! What the fields of requests may hold, as the protos' own options say (`sahm.options.v1.rules`):
//! judged before a service is called, and described by OpenAPI.

use std::collections::HashMap;

use prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value};

use super::request::Faults;

/// Why a field that is absent or empty is refused.
const NEEDED: &str = "is needed";

/// Bounds on one field, as `sahm.options.v1.Rules` describes them; 0 and empty are none.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    pub(super) is_required: bool,
    pub(super) min_length: usize,
    pub(super) max_length: usize,
    pub(super) characters: String,
    pub(super) minimum: Option<u64>,
    pub(super) maximum: Option<u64>,
    pub(super) one_of: Vec<String>,
    pub(super) example: String,
    pub(super) max_items: usize,
    pub(super) is_comma_list: bool,
    is_judged_by_service: bool,
}

/// The rules of all fields that have any, by the field's full name.
#[derive(Debug, Default)]
pub(super) struct RuleBook(HashMap<String, Rules>);

impl RuleBook {
    /// Reads the options of every field in the pool.
    pub(super) fn read(pool: &DescriptorPool) -> Self {
        let Some(option) = pool.get_extension_by_name("sahm.options.v1.rules") else {
            return Self::default();
        };
        let fields = pool.all_messages().flat_map(|message| message.fields().collect::<Vec<_>>());
        let rules = fields.filter_map(|field| {
            let options = field.options();
            let rules = options.has_extension(&option).then(|| options.get_extension(&option))?;
            Some((field.full_name().to_owned(), Rules::read(rules.as_message()?)))
        });
        Self(rules.collect())
    }

    /// The rules of a field.
    pub(super) fn of(&self, field: &FieldDescriptor) -> Option<&Rules> {
        self.0.get(field.full_name())
    }

    /// Judges a request by the rules of its fields, and adds what breaks them to `faults`; a field
    /// that is named there already is not judged again. Comma lists lose their empty items.
    pub(super) fn judge(&self, message: &mut DynamicMessage, faults: &mut Faults) {
        self.judge_within(message, "", faults);
    }

    fn judge_within(&self, message: &mut DynamicMessage, prefix: &str, faults: &mut Faults) {
        for field in message.descriptor().fields() {
            let name = format!("{prefix}{}", field.json_name());
            let is_named = |key: &String| {
                let rest = key.strip_prefix(&*name);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
            };
            if faults.keys().any(is_named) {
                continue;
            }
            if let Some(rules) = self.of(&field).filter(|rules| !rules.is_judged_by_service)
                && let Err(why) = rules.judge(message, &field)
            {
                faults.insert(name, why);
                continue;
            }
            if field.kind().as_message().is_none() || !message.has_field(&field) {
                continue;
            }
            match message.get_field_mut(&field) {
                Value::Message(inner) => self.judge_within(inner, &format!("{name}."), faults),
                Value::List(items) => {
                    for (at, item) in items.iter_mut().enumerate() {
                        if let Value::Message(inner) = item {
                            self.judge_within(inner, &format!("{name}[{at}]."), faults);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

impl Rules {
    fn read(message: &DynamicMessage) -> Self {
        let value = |name: &str| {
            let given = message.has_field_by_name(name);
            given.then(|| message.get_field_by_name(name)).flatten()
        };
        let text = |name: &str| {
            value(name).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
        };
        let count = |name: &str| {
            let count = value(name).and_then(|value| value.as_u32()).unwrap_or_default();
            usize::try_from(count).unwrap_or(usize::MAX)
        };
        let flag = |name: &str| value(name).and_then(|value| value.as_bool()).unwrap_or_default();
        let one_of = value("one_of");
        let one_of = one_of.as_deref().and_then(Value::as_list).unwrap_or_default();
        Self {
            is_required: flag("required"),
            min_length: count("min_length"),
            max_length: count("max_length"),
            characters: text("characters"),
            minimum: value("minimum").and_then(|value| value.as_u64()),
            maximum: value("maximum").and_then(|value| value.as_u64()),
            one_of: one_of.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            example: text("example"),
            max_items: count("max_items"),
            is_comma_list: flag("comma_list"),
            is_judged_by_service: flag("judged_by_service"),
        }
    }

    fn judge(&self, message: &mut DynamicMessage, field: &FieldDescriptor) -> Result<(), String> {
        if self.is_comma_list {
            let value = message.get_field(field);
            let items =
                value.as_str().unwrap_or_default().split(',').map(|item| item.trim_matches(' '));
            let items = items.filter(|item| !item.is_empty()).collect::<Vec<_>>();
            self.judge_count(items.len())?;
            items.iter().try_for_each(|item| self.judge_text(item))?;
            let cleaned = Value::String(items.join(","));
            message.set_field(field, cleaned);
            return Ok(());
        }
        if !message.has_field(field) {
            return match self.is_required {
                true if matches!(field.kind(), Kind::Bool) && !field.supports_presence() => {
                    Err("must be true".to_owned())
                }
                true => Err(NEEDED.to_owned()),
                false => Ok(()),
            };
        }
        match &*message.get_field(field) {
            Value::List(items) => self.judge_count(items.len()),
            Value::String(text) if text.is_empty() => self.judge_count(0),
            Value::String(text) => self.judge_text(text),
            Value::U32(number) => self.judge_number(u64::from(*number)),
            Value::U64(number) => self.judge_number(*number),
            Value::EnumNumber(number) => {
                self.judge_number(u64::try_from(*number).unwrap_or_default())
            }
            _ => Ok(()),
        }
    }

    fn judge_count(&self, count: usize) -> Result<(), String> {
        if count == 0 && self.is_required {
            return Err(NEEDED.to_owned());
        }
        if self.max_items > 0 && count > self.max_items {
            return Err(format!("must be at most {} items", self.max_items));
        }
        Ok(())
    }

    fn judge_text(&self, text: &str) -> Result<(), String> {
        let length = text.chars().count();
        if length < self.min_length {
            return Err(format!("must be at least {} characters", self.min_length));
        }
        if self.max_length > 0 && length > self.max_length {
            return Err(format!("must be at most {} characters", self.max_length));
        }
        if !self.characters.is_empty() && !text.chars().all(|letter| self.has_character(letter)) {
            return Err(format!("may hold only the characters {}", self.characters));
        }
        if !self.one_of.is_empty() && !self.one_of.iter().any(|allowed| allowed == text) {
            return Err(format!("must be one of {}", self.one_of.join(", ")));
        }
        Ok(())
    }

    fn judge_number(&self, number: u64) -> Result<(), String> {
        match (self.minimum, self.maximum) {
            (Some(minimum), Some(maximum)) if !(minimum..=maximum).contains(&number) => {
                Err(format!("must be {minimum} to {maximum}"))
            }
            (Some(minimum), _) if number < minimum => Err(format!("must be at least {minimum}")),
            (_, Some(maximum)) if number > maximum => Err(format!("must be at most {maximum}")),
            _ => Ok(()),
        }
    }

    /// Whether `characters`, the inside of a regular expression's brackets, has a letter.
    pub(super) fn has_character(&self, letter: char) -> bool {
        let mut rest = self.characters.chars();
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
}
