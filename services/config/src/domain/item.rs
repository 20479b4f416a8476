//! Web config items: keys, values, and the pages that show them.

use sahm_chassis::{
    error::{Error, Result},
    settings::Environment,
};

use sahm_proto::tags;

use super::UrlKey;

/// Maximum number of keys of a call.
pub const MAX_KEYS: usize = 50;

const MAX_VALUE_BYTES: usize = 8 << 10;

/// A key: `[A-Za-z0-9_.-]{1,80}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ItemKey(String);

impl ItemKey {
    /// Parses a key; `None` if it has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let formed = (1..=80).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'));
        formed.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<ItemKey> for String {
    fn from(key: ItemKey) -> Self {
        key.0
    }
}

/// Parses a comma-separated list of 1 to 50 keys.
pub fn keys_of(list: &str) -> Result<Vec<ItemKey>> {
    let keys = list.split(',').map(str::trim).filter(|key| !key.is_empty()).collect::<Vec<_>>();
    if !(1..=MAX_KEYS).contains(&keys.len()) {
        return Err(Error::field("keys", "1 to 50 keys, joined by commas"));
    }
    keys.into_iter().map(|key| parse_key("keys", key)).collect()
}

/// Parses a key in a field of a request.
pub fn parse_key(field: &str, key: &str) -> Result<ItemKey> {
    ItemKey::parse(key)
        .ok_or_else(|| Error::field(field, "a key has letters, digits, '_', '.' and '-'"))
}

/// The items of these addresses, for a query of the store.
pub fn item_keys(keys: &[UrlKey], environment: Environment) -> Vec<ItemKey> {
    keys.iter()
        .flat_map(|key| key.items(environment))
        .filter_map(|name| ItemKey::parse(&name))
        .collect()
}

pub fn check_value(value: &str) -> Result<()> {
    if value.len() > MAX_VALUE_BYTES {
        return Err(Error::field("items", "a value has at most 8192 bytes"));
    }
    Ok(())
}

/// The tags of the pages that show an item.
pub fn tags_of_key(key: &str) -> Vec<&'static str> {
    let mut changed = vec![tags::CONFIG_ITEMS];
    if key.starts_with("SA_STORE_") {
        changed.push(tags::CONFIG_STORES);
    }
    if key == "WEB_ACTIVITY_THEME"
        || UrlKey::matches(key)
        || key.starts_with("SA_CUSTOMER_SERVICE_")
    {
        changed.push(tags::CONFIG_MENU);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_purge_the_pages_that_show_them() {
        for (key, changed) in [
            ("ANY", vec![tags::CONFIG_ITEMS]),
            ("SA_STORE_IOS_URL", vec![tags::CONFIG_ITEMS, tags::CONFIG_STORES]),
            ("WEB_ACTIVITY_THEME", vec![tags::CONFIG_ITEMS, tags::CONFIG_MENU]),
            ("SA_CUSTOMER_SERVICE_EMAIL", vec![tags::CONFIG_ITEMS, tags::CONFIG_MENU]),
            ("TRADING_URL", vec![tags::CONFIG_ITEMS, tags::CONFIG_MENU]),
            ("MAIN_SITE_URL_PROD", vec![tags::CONFIG_ITEMS, tags::CONFIG_MENU]),
        ] {
            assert_eq!(tags_of_key(key), changed, "{key}");
        }
    }

    #[test]
    fn key_list_is_parsed() {
        for (list, count) in [
            ("A", Some(1)),
            ("A, B_c.d-1", Some(2)),
            ("A,,B,", Some(2)),
            ("", None),
            (",", None),
            ("a b", None),
            ("é", None),
        ] {
            assert_eq!(keys_of(list).ok().map(|keys| keys.len()), count, "{list}");
        }
        for (count, length, is_right) in
            [(50, 1, true), (51, 1, false), (1, 80, true), (1, 81, false)]
        {
            let list = vec!["k".repeat(length); count].join(",");
            assert_eq!(keys_of(&list).is_ok(), is_right, "{count} of {length}");
        }
    }
}
