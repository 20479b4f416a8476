//! Campaigns.

use sahm_chassis::{clock, error::Result};
use sahm_proto::{
    activity::v1::{Campaign, ListCampaignsRequest, ListCampaignsResponse},
    tags,
};

use super::LoadContext;

impl LoadContext<'_> {
    /// A campaign; `None` if it does not exist.
    pub(crate) async fn campaign(&self, id: Option<u64>) -> Result<Option<Campaign>> {
        let (tag, request) = (id.map(tags::activity), ListCampaignsRequest::default());
        let campaigns = self.find_shared_until(tag, request, next_change_at).await?;
        Ok(campaigns.items.iter().find(|campaign| Some(campaign.id) == id).cloned())
    }
}

/// When the state of a campaign changes next (epoch seconds, 0: never).
fn next_change_at(campaigns: &ListCampaignsResponse) -> u32 {
    let now = clock::now();
    let times = campaigns.items.iter().flat_map(|campaign| [campaign.begin_at, campaign.end_at]);
    times.filter(|time| *time > now).min().unwrap_or(0)
}
