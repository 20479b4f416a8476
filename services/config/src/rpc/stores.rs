//! The app stores.

use sahm_chassis::error::{Error, Result};
use sahm_proto::config::v1::StoreLink;

use super::ConfigRpc;

/// The stores: id, name, key of the items that hold URL and version.
const STORES: [(&str, &str, &str); 4] = [
    ("ios", "App Store", "SA_STORE_IOS"),
    ("android", "Google Play", "SA_STORE_ANDROID"),
    ("huawei", "AppGallery", "SA_STORE_HUAWEI"),
    (ONE_LINK, "One link", "SA_STORE_ONE_LINK"),
];

/// The store entry that redirects each device to its store.
pub(super) const ONE_LINK: &str = "one-link";

impl ConfigRpc {
    /// The links of all stores that have one.
    ///
    /// # Errors
    /// `Parameter` if the platform has no store; those of the database.
    pub(super) async fn links(&self, platform: &str) -> Result<Vec<StoreLink>> {
        if !platform.is_empty() && STORES.iter().all(|(id, ..)| *id != platform) {
            return Err(Error::field("platform", "ios, android, huawei, one-link or nothing"));
        }
        let keys = STORES.map(|(.., key)| [format!("{key}_URL"), format!("{key}_VERSION")]);
        let mut values = self.values(keys.as_flattened()).await?;
        let mut value = |key: &String| values.remove(key).unwrap_or_default();
        let links = STORES.iter().zip(&keys).map(|((id, name, _), [url, version])| StoreLink {
            id: (*id).to_owned(),
            name: (*name).to_owned(),
            url: value(url),
            version: value(version),
        });
        Ok(links.filter(|link| !link.url.is_empty()).collect())
    }
}
