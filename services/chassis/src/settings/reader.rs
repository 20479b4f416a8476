//! Reads single settings, and collects effective values and faults.
use std::{collections::BTreeMap, fmt::Display, ops::RangeInclusive, str::FromStr, time::Duration};

use super::{SettingsError, names};

/// Minimum similarity of two names, from 0 to 1, for one to be suggested for the other.
const MIN_SIMILARITY: f64 = 0.8;

/// An effective value.
#[derive(Clone, Debug)]
pub(super) struct EffectiveSetting {
    pub(super) value: String,
    pub(super) is_default: bool,
}

/// The given pairs, the effective values and the faults so far. An invalid value is recorded and
/// replaced by its default, so that one run finds every fault.
pub(super) struct Reader {
    given: BTreeMap<String, String>,
    effective: BTreeMap<&'static str, EffectiveSetting>,
    faults: Vec<(String, String)>,
}

impl Reader {
    /// Keeps the pairs with the prefix `SAHM_`; names that no process knows are faults.
    pub(super) fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Reader {
        let given: BTreeMap<_, _> =
            pairs.into_iter().filter(|(name, _)| name.starts_with("SAHM_")).collect();
        let mut reader = Reader { given, effective: BTreeMap::new(), faults: Vec::new() };
        let unknown: Vec<_> =
            reader.given.keys().filter(|name| names::find(name).is_none()).cloned().collect();
        for name in unknown {
            let known = names::SETTINGS.iter().map(|setting| setting.name);
            let suggestion = match closest(&name, known) {
                Some(setting) => format!("did you mean {setting}?"),
                None => "--print-settings lists them all".to_owned(),
            };
            reader.fault(&name, format!("no such setting ({suggestion})"));
        }
        reader
    }

    /// The value, if one was given; an empty one counts as not given.
    pub(super) fn optional(&mut self, name: &str) -> Option<String> {
        let value = self.given.get(name).map(|value| value.trim().to_owned());
        let value = value.filter(|value| !value.is_empty());
        self.record_effective(name, value.clone().unwrap_or_default(), value.is_none());
        value
    }

    /// The value or its default.
    pub(super) fn text(&mut self, name: &str, default: &str) -> String {
        self.optional(name).unwrap_or_else(|| {
            self.record_effective(name, default.to_owned(), true);
            default.to_owned()
        })
    }

    /// The value or its default, as another type; `expected` describes valid values.
    pub(super) fn parsed<T: FromStr + Display>(
        &mut self,
        name: &str,
        default: T,
        expected: &str,
    ) -> T {
        match self.parsed_optional(name, expected) {
            Some(value) => value,
            None => {
                self.record_effective(name, default.to_string(), true);
                default
            }
        }
    }

    /// The value as another type, if one was given.
    pub(super) fn parsed_optional<T: FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        let parsed = self.optional(name)?.parse();
        parsed.map_err(|_| self.invalid(name, expected)).ok()
    }

    /// A number of days within bounds.
    pub(super) fn days(
        &mut self,
        name: &str,
        default: u32,
        bounds: RangeInclusive<u32>,
    ) -> Duration {
        let expected = format!("a number of days from {} to {}", bounds.start(), bounds.end());
        let days = self.parsed(name, default, &expected);
        if !bounds.contains(&days) {
            self.invalid(name, &expected);
        }
        Duration::from_secs(u64::from(days) * 86_400)
    }

    /// A comma-separated list; empty if an item is invalid.
    pub(super) fn list<T>(
        &mut self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let value = self.optional(name).unwrap_or_default();
        let items = value.split(',').map(str::trim).filter(|item| !item.is_empty());
        items.map(parse).collect::<Option<_>>().unwrap_or_else(|| {
            self.invalid(name, expected);
            Vec::new()
        })
    }

    /// Records an invalid value; a secret is not quoted.
    pub(super) fn invalid(&mut self, name: &str, expected: &str) {
        let is_secret = names::find(name).is_none_or(|setting| setting.hides.is_some());
        let value = self.given.get(name).map_or("", String::as_str);
        let quoted = if is_secret { "its value".to_owned() } else { format!("`{value}`") };
        self.fault(name, format!("{quoted} is not {expected}"));
    }

    /// Records a fault of a setting.
    pub(super) fn fault(&mut self, name: &str, reason: String) {
        self.faults.push((name.to_owned(), reason));
    }

    /// Whether a setting has a fault, whose consequences for other settings are not reported.
    pub(super) fn is_faulty(&self, name: &str) -> bool {
        self.faults.iter().any(|(faulty, _)| faulty == name)
    }

    /// Fails if any fault was recorded.
    ///
    /// # Errors
    /// Lists every fault.
    pub(super) fn check(&mut self) -> Result<(), SettingsError> {
        if self.faults.is_empty() {
            return Ok(());
        }
        let faults = std::mem::take(&mut self.faults).into_iter();
        Err(SettingsError(faults.map(|(name, reason)| format!("{name}: {reason}")).collect()))
    }

    /// The effective values, by name.
    pub(super) fn take_effective(&mut self) -> BTreeMap<&'static str, EffectiveSetting> {
        std::mem::take(&mut self.effective)
    }

    fn record_effective(&mut self, name: &str, value: String, is_default: bool) {
        let setting = names::find(name);
        debug_assert!(setting.is_some(), "{name} is read but not declared");
        if let Some(setting) = setting {
            self.effective.insert(setting.name, EffectiveSetting { value, is_default });
        }
    }
}

/// The most similar known name, if it is similar enough.
pub(super) fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alike = |known: &str| {
        // The common prefix would make any two names similar.
        let distinct = |name: &str| {
            let rest = name.strip_prefix("SAHM_").or_else(|| name.strip_prefix("sahm."));
            rest.unwrap_or(name).to_ascii_uppercase()
        };
        strsim::normalized_damerau_levenshtein(&distinct(name), &distinct(known))
    };
    let best = known.max_by(|a, b| alike(a).total_cmp(&alike(b)))?;
    (alike(best) >= MIN_SIMILARITY).then_some(best)
}
