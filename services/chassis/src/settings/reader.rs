//! Reads single settings and remembers what was in effect.
use std::{collections::BTreeMap, str::FromStr};

use super::{
    SettingsError,
    names::{self, Setting},
};

/// The given pairs, and what was made of them.
pub(super) struct Reader {
    given: BTreeMap<String, String>,
    effective: BTreeMap<&'static str, String>,
}

impl Reader {
    /// Refuses names that no process knows.
    pub(super) fn new(
        pairs: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Reader, SettingsError> {
        let given: BTreeMap<_, _> =
            pairs.into_iter().filter(|(name, _)| name.starts_with("SAHM_")).collect();
        match given.keys().find(|name| names::find(name).is_none()) {
            Some(name) => Err(SettingsError::unknown(name)),
            None => Ok(Reader { given, effective: BTreeMap::new() }),
        }
    }

    fn setting(name: &str) -> Result<&'static Setting, SettingsError> {
        names::find(name).ok_or_else(|| SettingsError::unknown(name))
    }

    /// The value, if one was given; an empty one counts as not given.
    pub(super) fn optional(&mut self, name: &str) -> Result<Option<String>, SettingsError> {
        let setting = Reader::setting(name)?;
        let value = self.given.get(name).map(|value| value.trim().to_owned());
        let value = value.filter(|value| !value.is_empty());
        self.effective.insert(setting.name, value.clone().unwrap_or_default());
        Ok(value)
    }

    /// The value or its default.
    pub(super) fn text(&mut self, name: &str, default: &str) -> Result<String, SettingsError> {
        let value = self.optional(name)?.unwrap_or_else(|| default.to_owned());
        self.effective.insert(Reader::setting(name)?.name, value.clone());
        Ok(value)
    }

    /// The value or its default, as another type; `expected` says what it should look like.
    pub(super) fn parsed<T: FromStr>(
        &mut self,
        name: &str,
        default: &str,
        expected: &str,
    ) -> Result<T, SettingsError> {
        let value = self.text(name, default)?;
        value.parse().map_err(|_| self.wrong(name, expected))
    }

    /// The value as another type, if one was given.
    pub(super) fn parsed_optional<T: FromStr>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, SettingsError> {
        let Some(value) = self.optional(name)? else { return Ok(None) };
        value.parse().map(Some).map_err(|_| self.wrong(name, expected))
    }

    /// A comma-separated list.
    pub(super) fn list<T>(
        &mut self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, SettingsError> {
        let value = self.optional(name)?.unwrap_or_default();
        let items = value.split(',').map(str::trim).filter(|item| !item.is_empty());
        items.map(|item| parse(item).ok_or_else(|| self.wrong(name, expected))).collect()
    }

    /// The error for a value that is not what it should be; a secret is not repeated.
    pub(super) fn wrong(&self, name: &str, expected: &str) -> SettingsError {
        let secret = names::find(name).is_none_or(|setting| setting.secret);
        let value = self.given.get(name).map_or("", String::as_str);
        let shown = if secret { "its value".to_owned() } else { format!("`{value}`") };
        SettingsError(format!("{name}: {shown} is not {expected}"))
    }

    /// What was in effect, by name.
    pub(super) fn into_effective(self) -> BTreeMap<&'static str, String> {
        self.effective
    }
}
