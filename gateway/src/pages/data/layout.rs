//! The layout data of every page: menu, contact, stores, and the addresses of members' links.

use std::sync::Arc;

use sahm_chassis::error::Result;
use sahm_proto::{
    config::v1::{
        ConfigItem, GetDownloadInfoRequest, GetMenuRequest, GetUrlsRequest, GetWebConfigRequest,
    },
    content::v1::GetNavigationRequest,
    tags,
};

use super::{DataSources, LoadContext};
use crate::{
    config_snapshot::{ConfigSnapshot, Configuration},
    pages::links,
    services::{Services, reading},
};

/// Configuration keys that the layout shows.
const CONTACT_KEYS: &str =
    "SA_CUSTOMER_SERVICE_WHATSAPP,SA_CUSTOMER_SERVICE_PHONE,SA_CUSTOMER_SERVICE_EMAIL";

/// Configuration keys of the addresses of members' links.
const ADDRESS_KEYS: &str = "AC_OPEN,AC_OPEN_US,MORE_ACCOUNT";

impl LoadContext<'_> {
    /// Reads the layout data from the services, or the last known snapshot.
    pub(crate) async fn layout(&self) -> Option<ConfigSnapshot> {
        let layout_tags =
            [tags::CONFIG_MENU, tags::CONFIG_ITEMS, tags::CONFIG_STORES, tags::COLLEGE_NAVIGATION];
        self.tag(layout_tags);
        let college = || {
            let services = self.data.services.clone();
            async move {
                let request = GetNavigationRequest {};
                let response = reading(services.college()?.get_navigation(request)).await?;
                Ok((response.navigation_vo_list, 0))
            }
        };
        let (configuration, college) =
            tokio::join!(self.data.configuration(), self.data.caches.college.get((), college));
        let college = self.optional("college menu", college);
        let Some(configuration) = self.optional("configuration", configuration) else {
            return self.last_layout();
        };
        let last_college = || self.last_layout().map(|last| last.college).unwrap_or_default();
        let college = college.unwrap_or_else(last_college);
        let snapshot = ConfigSnapshot { configuration, college };
        self.data.config_snapshot.save(&snapshot);
        Some(snapshot)
    }

    /// The last known layout data; calls no service.
    pub(crate) fn last_layout(&self) -> Option<ConfigSnapshot> {
        self.data.config_snapshot.latest()
    }
}

impl DataSources {
    /// The addresses of members' links, as of the layout data that this process loaded last, so that a page with cached
    /// data needs no call for them.
    pub(crate) async fn member_addresses(&self) -> Vec<ConfigItem> {
        if let Some(snapshot) = self.config_snapshot.loaded() {
            return snapshot.configuration.addresses.clone();
        }
        match self.configuration().await {
            Ok(configuration) => configuration.addresses.clone(),
            Err(error) => {
                tracing::warn!(?error, "addresses of members' links unavailable");
                let last = self.config_snapshot.latest();
                last.map(|last| last.configuration.addresses.clone()).unwrap_or_default()
            }
        }
    }

    async fn configuration(&self) -> Result<Arc<Configuration>> {
        let read = || {
            let (services, public_url) = (self.services.clone(), self.public_url.clone());
            async move { Ok((read_configuration(&services, &public_url).await?, 0)) }
        };
        self.caches.configuration.get((), read).await
    }
}

async fn read_configuration(services: &Services, public_url: &str) -> Result<Configuration> {
    let client = services.config()?;
    let (mut menu, mut items, mut stores, mut urls) =
        (client.clone(), client.clone(), client.clone(), client);
    let (menu, items, stores, urls) = tokio::try_join!(
        reading(menu.get_menu(GetMenuRequest {})),
        reading(items.get_web_config(GetWebConfigRequest {
            keys: CONTACT_KEYS.to_owned(),
            ctype: "commons".to_owned(),
        })),
        reading(stores.get_download_info(GetDownloadInfoRequest::default())),
        reading(urls.get_urls(GetUrlsRequest { keys: ADDRESS_KEYS.to_owned() })),
    )?;
    let mut menu = menu.menu.unwrap_or_default();
    links::make_relative(&mut menu.header, public_url);
    Ok(Configuration { menu, items: items.items, stores: stores.items, addresses: urls.items })
}
