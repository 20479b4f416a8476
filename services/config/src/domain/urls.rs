//! Addresses that differ by environment.

use sahm_chassis::settings::Environment;
use strum::{EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};

/// An address with a value for each environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum UrlKey {
    /// Opening an account, except for a US account.
    AcOpen,
    AcOpenUs,
    MoreAccount,
    #[strum(serialize = "TRADING_URL")]
    Trading,
    #[strum(serialize = "MAIN_SITE_URL")]
    MainSite,
}

impl UrlKey {
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The value while no operator has set one.
    pub fn default_value(self) -> Option<&'static str> {
        match self {
            Self::AcOpen => Some("{token}?_app_fullScreen=y"),
            Self::AcOpenUs => Some("/"),
            Self::MoreAccount | Self::Trading | Self::MainSite => None,
        }
    }

    /// The items for an environment in order of precedence: the environment's own
    /// (`TRADING_URL_UAT`), then the one for all (`TRADING_URL`).
    pub fn items(self, environment: Environment) -> [String; 2] {
        let key = self.as_str();
        [format!("{key}_{}", stage(environment)), key.to_owned()]
    }

    /// The value for an environment, given the items that are set.
    pub fn resolve(self, environment: Environment, items: &[(String, String)]) -> Option<String> {
        let set = self
            .items(environment)
            .into_iter()
            .find_map(|name| items.iter().find(|(key, value)| *key == name && !value.is_empty()));
        set.map(|(_, value)| value.clone()).or_else(|| self.default_value().map(str::to_owned))
    }

    /// Whether an item's key is that of an address, in any environment.
    pub fn matches(key: &str) -> bool {
        Self::iter().any(|url| {
            key.strip_prefix(url.as_str())
                .is_some_and(|rest| matches!(rest, "" | "_PROD" | "_UAT" | "_FEATURE"))
        })
    }
}

/// Environments share addresses in three stages (production, uat, feature).
fn stage(environment: Environment) -> &'static str {
    match environment {
        Environment::Prod | Environment::Pre => "PROD",
        Environment::Uat | Environment::Beta => "UAT",
        Environment::Dev | Environment::Feature | Environment::Daily => "FEATURE",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_own_value_takes_precedence() {
        let item = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let items = [
            item("TRADING_URL", "all"),
            item("TRADING_URL_UAT", "uat"),
            item("AC_OPEN_PROD", ""),
            item("AC_OPEN_US_FEATURE", "/us"),
        ];
        for (key, environment, expected) in [
            (UrlKey::Trading, Environment::Uat, Some("uat")),
            (UrlKey::Trading, Environment::Beta, Some("uat")),
            (UrlKey::Trading, Environment::Prod, Some("all")),
            (UrlKey::AcOpen, Environment::Prod, Some("{token}?_app_fullScreen=y")),
            (UrlKey::AcOpenUs, Environment::Dev, Some("/us")),
            (UrlKey::AcOpenUs, Environment::Prod, Some("/")),
            (UrlKey::MoreAccount, Environment::Prod, None),
        ] {
            let value = key.resolve(environment, &items);
            assert_eq!(value.as_deref(), expected, "{key:?} {environment}");
        }
    }

    #[test]
    fn environments_use_the_addresses_of_their_stage() {
        for (environment, item) in [
            (Environment::Dev, "TRADING_URL_FEATURE"),
            (Environment::Feature, "TRADING_URL_FEATURE"),
            (Environment::Daily, "TRADING_URL_FEATURE"),
            (Environment::Beta, "TRADING_URL_UAT"),
            (Environment::Uat, "TRADING_URL_UAT"),
            (Environment::Pre, "TRADING_URL_PROD"),
            (Environment::Prod, "TRADING_URL_PROD"),
        ] {
            let items = UrlKey::Trading.items(environment);
            assert_eq!(items, [item.to_owned(), "TRADING_URL".to_owned()], "{environment}");
        }
    }

    #[test]
    fn keys_of_addresses_are_recognised() {
        for (key, holds) in [
            ("AC_OPEN", true),
            ("AC_OPEN_US", true),
            ("AC_OPEN_US_PROD", true),
            ("TRADING_URL_FEATURE", true),
            ("TRADING_URL_X", false),
            ("SA_STORE_IOS_URL", false),
            ("", false),
        ] {
            assert_eq!(UrlKey::matches(key), holds, "{key}");
        }
    }
}
