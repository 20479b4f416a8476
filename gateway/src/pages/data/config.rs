//! Configuration: fees, the layout data of every page, and the addresses of members' links.

use std::sync::Arc;

use sahm_chassis::error::Result;
use sahm_proto::{
    UnaryRequest,
    config::v1::{
        ConfigItem, FeeSchedule, GetDownloadInfoRequest, GetFeeScheduleRequest, GetMenuRequest,
        GetUrlsRequest, GetWebConfigRequest,
    },
    content::v1::GetNavigationRequest,
    tags,
};

use super::{DataSources, LoadContext};
use crate::pages::layout_data::{ComposedLayout, LayoutSources};

/// Configuration keys that the layout shows.
const CONTACT_KEYS: &str =
    "SA_CUSTOMER_SERVICE_WHATSAPP,SA_CUSTOMER_SERVICE_PHONE,SA_CUSTOMER_SERVICE_EMAIL";

/// Configuration keys of the addresses of members' links.
const ADDRESS_KEYS: &str = "AC_OPEN,AC_OPEN_US,MORE_ACCOUNT";

impl LoadContext<'_> {
    pub(crate) async fn fee_schedule(&self) -> Result<Option<FeeSchedule>> {
        Ok(self.read([tags::CONFIG_FEES], GetFeeScheduleRequest {}).await?.fee_schedule)
    }

    /// Reads the layout data from the services; the last known one if config is unavailable.
    pub(crate) async fn layout(&self) -> Option<Arc<ComposedLayout>> {
        let layout_tags =
            [tags::CONFIG_MENU, tags::CONFIG_ITEMS, tags::CONFIG_STORES, tags::COLLEGE_NAVIGATION];
        self.tag(layout_tags);
        let contact =
            GetWebConfigRequest { keys: CONTACT_KEYS.to_owned(), ctype: "commons".to_owned() };
        let configuration = async {
            tokio::try_join!(
                self.data.shared(GetMenuRequest {}),
                self.data.shared(contact),
                self.data.shared(GetDownloadInfoRequest::default()),
                self.data.shared(addresses()),
            )
        };
        let (configuration, college) =
            tokio::join!(configuration, self.data.shared(GetNavigationRequest {}));
        let college = self.optional("college menu", college);
        let last = self.data.layouts.latest();
        let Some((menu, contact, stores, addresses)) =
            self.optional("configuration", configuration)
        else {
            return last;
        };
        let last_college = || last.map(|last| last.sources.college.clone()).unwrap_or_default();
        let college = college.unwrap_or_else(last_college);
        let sources = LayoutSources { menu, contact, stores, addresses, college };
        Some(self.data.layouts.compose(sources))
    }
}

impl DataSources {
    /// The addresses of members' links, as of the layout data that this process loaded last, so that a page with cached
    /// data needs no call for them.
    pub(crate) async fn member_addresses(&self) -> Vec<ConfigItem> {
        let last = self.layouts.latest();
        if let Some(last) = last.as_ref().filter(|last| last.is_loaded) {
            return last.sources.addresses.items.clone();
        }
        match self.shared(addresses()).await {
            Ok(addresses) => addresses.items.clone(),
            Err(error) => {
                tracing::warn!(?error, "addresses of members' links unavailable");
                last.map(|last| last.sources.addresses.items.clone()).unwrap_or_default()
            }
        }
    }

    async fn shared<R: UnaryRequest>(&self, request: R) -> Result<Arc<R::Response>> {
        self.shared.read(&self.services, request, R::next_change_at).await
    }
}

fn addresses() -> GetUrlsRequest {
    GetUrlsRequest { keys: ADDRESS_KEYS.to_owned() }
}
