//! Groups of config items.

use sahm_chassis::error::{Error, Result};
use strum::{EnumString, IntoStaticStr};

use super::{ItemKey, UrlKey};

/// A group of items that callers request by name; each item belongs to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "camelCase")]
pub enum Group {
    /// App stores, and items that only the app uses.
    AppCommons,
    /// Items of the website.
    Web,
    /// Items that both app and website show, such as contacts.
    WebCommons,
    /// Addresses by environment.
    Urls,
}

impl Group {
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    pub fn of(key: &str) -> Self {
        match key {
            key if UrlKey::matches(key) => Self::Urls,
            key if key.starts_with("SA_STORE_") || key.starts_with("APP_") => Self::AppCommons,
            key if key.starts_with("WEB_") => Self::Web,
            _ => Self::WebCommons,
        }
    }

    /// Parses a comma-separated list; groups are returned without repetitions, in the requested
    /// order.
    ///
    /// # Errors
    /// The list is empty or contains an unknown group.
    pub fn list(text: &str) -> Result<Vec<Self>> {
        let mut groups = Vec::new();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let group = name.parse().map_err(|_| invalid())?;
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        if groups.is_empty() { Err(invalid()) } else { Ok(groups) }
    }
}

fn invalid() -> Error {
    Error::field("groups", "appCommons, web, webCommons, urls, joined by commas")
}

/// Parses a comma-separated list of address keys; unknown ones are left out.
///
/// # Errors
/// Same as [`super::keys_of`].
pub fn urls_of(list: &str) -> Result<Vec<UrlKey>> {
    let keys: Vec<ItemKey> = super::keys_of(list)?;
    let mut urls = Vec::new();
    for key in keys {
        let known = key.as_str().parse().ok();
        urls.extend(known.filter(|url| !urls.contains(url)));
    }
    Ok(urls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_belong_to_one_group() {
        for (key, group) in [
            ("SA_STORE_IOS_URL", Group::AppCommons),
            ("APP_MIN_VERSION", Group::AppCommons),
            ("WEB_ACTIVITY_THEME", Group::Web),
            ("SA_CUSTOMER_SERVICE_PHONE", Group::WebCommons),
            ("TRADING_URL_UAT", Group::Urls),
            ("AC_OPEN", Group::Urls),
        ] {
            assert_eq!(Group::of(key), group, "{key}");
        }
    }

    #[test]
    fn group_and_url_lists_are_parsed() {
        let names = |text: &str| {
            Group::list(text).ok().map(|all| all.into_iter().map(Group::as_str).collect::<Vec<_>>())
        };
        for (text, expected) in [
            ("web", Some(vec!["web"])),
            ("urls, web,urls", Some(vec!["urls", "web"])),
            ("", None),
            (",", None),
            ("web,other", None),
            ("WEB", None),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
        let urls = |text: &str| urls_of(text).ok();
        assert_eq!(urls("AC_OPEN_US,X,AC_OPEN_US"), Some(vec![UrlKey::AcOpenUs]));
        assert_eq!(urls("X"), Some(vec![]));
        assert_eq!(urls(""), None);
    }
}
