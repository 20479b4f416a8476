//! Items, groups and addresses.

use std::collections::HashMap;

use sahm_chassis::error::{Error, Result};
use sahm_proto::config::v1::{ConfigGroup, ConfigItem, Menu};

use super::ConfigRpc;
use crate::domain::{
    Group, ItemKey, MAX_KEYS, Placeholders, UrlKey, check_value, filled, item_keys, keys_of,
    parse_key, urls_of,
};

impl ConfigRpc {
    pub(super) async fn items(&self, keys: &str, ctype: &str) -> Result<Vec<ConfigItem>> {
        if !matches!(ctype, "" | "commons") {
            return Err(Error::field("ctype", "commons or nothing"));
        }
        let rows = self.store.items(&keys_of(keys)?, ctype).await?;
        Ok(rows.into_iter().map(|(key, value)| config_item(key, value)).collect())
    }

    pub(super) async fn groups(&self, groups: &str) -> Result<Vec<ConfigGroup>> {
        let groups = Group::list(groups)?;
        let rows = self.store.all_items().await?;
        let group = |group: Group| ConfigGroup {
            id: group.as_str().to_owned(),
            name: group.as_str().to_owned(),
            items: match group {
                Group::Urls => self.resolved(&UrlKey::ALL, &rows),
                group => rows
                    .iter()
                    .filter(|(key, _)| Group::of(key) == group)
                    .map(|(key, value)| config_item(key.clone(), value.clone()))
                    .collect(),
            },
        };
        Ok(groups.into_iter().map(group).collect())
    }

    pub(super) async fn urls(&self, keys: &str) -> Result<Vec<ConfigItem>> {
        let keys = urls_of(keys)?;
        let rows = self.store.items(&item_keys(&keys, self.environment), "").await?;
        Ok(self.resolved(&keys, &rows))
    }

    fn resolved(&self, keys: &[UrlKey], rows: &[(String, String)]) -> Vec<ConfigItem> {
        keys.iter()
            .filter_map(|key| {
                let value = key.resolve(self.environment, rows)?;
                Some(config_item(key.as_str().to_owned(), value))
            })
            .collect()
    }

    /// The values of the items that exist, by key.
    pub(super) async fn values(&self, keys: &[impl AsRef<str>]) -> Result<HashMap<String, String>> {
        let keys = keys.iter().filter_map(|key| ItemKey::parse(key.as_ref())).collect::<Vec<_>>();
        Ok(self.store.items(&keys, "").await?.into_iter().collect())
    }

    pub(super) async fn menu(&self) -> Result<Menu> {
        const KEYS: [&str; 4] = [
            "WEB_ACTIVITY_THEME",
            "SA_CUSTOMER_SERVICE_WHATSAPP",
            "SA_CUSTOMER_SERVICE_PHONE",
            "SA_CUSTOMER_SERVICE_EMAIL",
        ];
        let mut values = self.values(&KEYS).await?;
        let [theme, whatsapp, phone, email] =
            KEYS.map(|key| values.remove(key).unwrap_or_default());
        let theme = if theme.is_empty() { "0".to_owned() } else { theme };
        let keys = item_keys(&[UrlKey::Trading, UrlKey::MainSite], self.environment);
        let rows = self.store.items(&keys, "").await?;
        let url = |key: UrlKey| key.resolve(self.environment, &rows).unwrap_or_default();
        let main = url(UrlKey::MainSite).trim_end_matches('/').to_owned();
        let trading = url(UrlKey::Trading);
        let menu = self.store.menu().await?;
        Ok(filled(menu, &Placeholders { theme, trading, main, whatsapp, phone, email }))
    }

    pub(super) async fn set(&self, items: Vec<ConfigItem>) -> Result<Vec<ConfigItem>> {
        if !(1..=MAX_KEYS).contains(&items.len()) {
            return Err(Error::field("items", "1 to 50 items"));
        }
        let mut pairs = Vec::new();
        for item in items {
            let key = parse_key("items", &item.key)?;
            check_value(&item.value)?;
            pairs.push((key, item.value));
        }
        self.store.set_items(&pairs).await?;
        self.changed.notify();
        Ok(pairs
            .into_iter()
            .map(|(key, value)| config_item(key.as_str().to_owned(), value))
            .collect())
    }
}

fn config_item(key: String, value: String) -> ConfigItem {
    ConfigItem { id: key.clone(), key, value }
}
