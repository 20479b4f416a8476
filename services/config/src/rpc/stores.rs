//! The app stores.

use sahm_chassis::error::{Error, Result};
use sahm_proto::config::v1::{DownloadLink, StoreLink};

use super::ConfigRpc;

/// The stores: id, name, key of the items that hold URL and version.
const STORES: [(&str, &str, &str); 4] = [
    ("ios", "App Store", "SA_STORE_IOS"),
    ("android", "Google Play", "SA_STORE_ANDROID"),
    ("huawei", "AppGallery", "SA_STORE_HUAWEI"),
    (ONE_LINK, "One link", "SA_STORE_ONE_LINK"),
];

/// The store entry that redirects each device to its store.
const ONE_LINK: &str = "one-link";

impl ConfigRpc {
    pub(super) async fn stores(&self, platform: &str) -> Result<Vec<StoreLink>> {
        check(platform)?;
        let mut links = Vec::new();
        for (id, name, key) in STORES {
            if !platform.is_empty() && platform != id {
                continue;
            }
            let (url_key, version_key) = (format!("{key}_URL"), format!("{key}_VERSION"));
            let [url, version] = self.values([url_key.as_str(), version_key.as_str()]).await?;
            if !url.is_empty() {
                links.push(StoreLink { id: id.to_owned(), name: name.to_owned(), url, version });
            }
        }
        Ok(links)
    }

    pub(super) async fn link(&self, platform: &str) -> Result<DownloadLink> {
        check(platform)?;
        let links = self.stores("").await?;
        let url = |id: &str| {
            links.iter().find(|link| link.id == id).map(|link| link.url.clone()).unwrap_or_default()
        };
        let id = if platform.is_empty() { ONE_LINK } else { platform };
        Ok(DownloadLink { id: id.to_owned(), url: url(id), one_link: url(ONE_LINK) })
    }
}

fn check(platform: &str) -> Result<()> {
    if platform.is_empty() || STORES.iter().any(|(id, ..)| *id == platform) {
        return Ok(());
    }
    Err(Error::field("platform", "ios, android, huawei, one-link or nothing"))
}
