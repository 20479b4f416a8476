//! The layout data of every page: menu, contact, stores, and the addresses of members' links.

use std::sync::Arc;

use sahm_chassis::error::Result;
use sahm_proto::{
    config::v1::{
        ConfigItem, GetDownloadInfoRequest, GetMenuRequest, GetUrlsRequest, GetWebConfigRequest,
    },
    content::v1::{CollegeNavigationVo, GetNavigationRequest},
    page::v1::LayoutData,
    tags,
};

use super::{DataSources, LoadContext};
use crate::{
    config_snapshot::{ConfigSnapshot, Configuration},
    pages::links,
    services::reading,
    visitor::Locale,
};

/// Configuration keys that the layout shows.
const CONTACT_KEYS: &str =
    "SA_CUSTOMER_SERVICE_WHATSAPP,SA_CUSTOMER_SERVICE_PHONE,SA_CUSTOMER_SERVICE_EMAIL";

/// Configuration keys of the addresses of members' links.
const ADDRESS_KEYS: &str = "AC_OPEN,AC_OPEN_US,MORE_ACCOUNT";

impl LoadContext<'_> {
    /// Reads the layout data from the services, or the last known snapshot.
    pub(in crate::pages) async fn layout(&self) -> Option<ConfigSnapshot> {
        let layout_tags =
            [tags::CONFIG_MENU, tags::CONFIG_ITEMS, tags::CONFIG_STORES, tags::COLLEGE_NAVIGATION];
        self.tag(layout_tags);
        let configuration = || {
            let (data, public_url) = (self.data.clone(), self.loaders.public_url.clone());
            async move { data.configuration(&public_url).await }
        };
        let college = || {
            let data = self.data.clone();
            async move { data.college_menu().await }
        };
        let (configuration, college) = tokio::join!(
            self.data.caches.configuration.get((), configuration),
            self.data.caches.college.get((), college),
        );
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
    pub(in crate::pages) fn last_layout(&self) -> Option<ConfigSnapshot> {
        self.data.config_snapshot.latest()
    }
}

impl DataSources {
    /// The layout data of a configuration in one locale.
    pub(in crate::pages) fn layout_data(
        &self,
        snapshot: ConfigSnapshot,
        locale: Locale,
    ) -> LayoutData {
        self.caches.layouts.get(snapshot, locale)
    }

    /// Whether this is the version of the locale's current layout data.
    pub(crate) fn is_current_layout(&self, locale: Locale, version: &[u8]) -> bool {
        self.caches.layouts.is_current(locale, version)
    }

    /// The addresses of members' links, as of the layout data that this process loaded last, so that a page with cached
    /// data needs no call for them.
    pub(in crate::pages) async fn member_addresses(
        &self,
        public_url: &Arc<str>,
    ) -> Vec<ConfigItem> {
        if let Some(snapshot) = self.config_snapshot.loaded() {
            return snapshot.configuration.addresses.clone();
        }
        let configuration = || {
            let (data, public_url) = (self.clone(), public_url.clone());
            async move { data.configuration(&public_url).await }
        };
        match self.caches.configuration.get((), configuration).await {
            Ok(configuration) => configuration.addresses.clone(),
            Err(error) => {
                tracing::warn!(?error, "addresses of members' links unavailable");
                let last = self.config_snapshot.latest();
                last.map(|last| last.configuration.addresses.clone()).unwrap_or_default()
            }
        }
    }

    async fn configuration(&self, public_url: &str) -> Result<(Configuration, u32)> {
        let client = self.services.config()?;
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
        let configuration =
            Configuration { menu, items: items.items, stores: stores.items, addresses: urls.items };
        Ok((configuration, 0))
    }

    async fn college_menu(&self) -> Result<(Vec<CollegeNavigationVo>, u32)> {
        let mut college = self.services.college()?;
        let response = reading(college.get_navigation(GetNavigationRequest {})).await?;
        Ok((response.navigation_vo_list, 0))
    }
}
