//! Campaigns.

use sahm_chassis::{
    clock,
    error::{Error, Result},
};
use sahm_proto::{
    activity::v1::{
        Campaign, GetCampaignInfoRequest, GetCustomInfoRequest, ListCampaignRulesRequest,
        ListCampaignsRequest, ListDrawsRequest, ListGccRulesRequest,
    },
    page::v1::ActivityPage,
    tags,
};

use super::{LoadContext, never};
use crate::services::{Services, reading};

impl LoadContext<'_> {
    /// A campaign; `None` if it does not exist.
    pub(in crate::pages) async fn campaign(&self, id: Option<u64>) -> Result<Option<Campaign>> {
        let read = |services: Services| async move {
            let request = ListCampaignsRequest::default();
            Ok(reading(services.campaigns()?.list_campaigns(request)).await?.items)
        };
        let (tag, cache) = (id.map(tags::activity), &self.data.caches.campaigns);
        let campaigns = self.read_cached(tag, |all| next_change(all), cache, (), read).await?;
        Ok(campaigns.iter().find(|campaign| Some(campaign.id) == id).cloned())
    }

    /// Loads the parts of a campaign's page, each of which is optional.
    pub(in crate::pages) async fn campaign_parts(&self, campaign: Campaign) -> ActivityPage {
        let activity_id = campaign.id;
        let tags = || [tags::activity(activity_id)];
        let services = &self.data.services;
        let info = async {
            let request = GetCampaignInfoRequest { activity_id };
            let mut campaigns = services.campaigns()?;
            let call = campaigns.get_campaign_info(request);
            Ok::<_, Error>(self.read(tags(), never, call).await?.info)
        };
        let custom = async {
            let request = GetCustomInfoRequest { activity_id };
            let mut campaigns = services.campaigns()?;
            let call = campaigns.get_custom_info(request);
            Ok::<_, Error>(self.read(tags(), never, call).await?.info)
        };
        let rules = async {
            let request = ListCampaignRulesRequest { activity_id };
            let mut campaigns = services.campaigns()?;
            let call = campaigns.list_campaign_rules(request);
            Ok::<_, Error>(self.read(tags(), never, call).await?.rules)
        };
        let gcc_rules = async {
            let request = ListGccRulesRequest { activity_id };
            let mut campaigns = services.campaigns()?;
            let call = campaigns.list_gcc_rules(request);
            Ok::<_, Error>(self.read(tags(), never, call).await?.rules)
        };
        let draws = async {
            if !campaign.has_draws {
                return Ok(Vec::new());
            }
            let request = ListDrawsRequest { activity_id, ..Default::default() };
            let mut draws = services.draws()?;
            Ok(self.read(tags(), never, draws.list_draws(request)).await?.items)
        };
        let (info, custom, rules, gcc_rules, draws) =
            tokio::join!(info, custom, rules, gcc_rules, draws);
        ActivityPage {
            info: self.optional("campaign info", info).flatten(),
            custom: self.optional("campaign figures", custom).flatten(),
            rules: self.optional("rules", rules).unwrap_or_default(),
            gcc_rules: self.optional("gcc rules", gcc_rules).unwrap_or_default(),
            draws: self.optional("draws", draws).unwrap_or_default(),
            campaign: Some(campaign),
            ..ActivityPage::default()
        }
    }
}

/// When the state of a campaign changes next (epoch seconds, 0: never).
fn next_change(campaigns: &[Campaign]) -> u32 {
    let now = clock::now();
    let times = campaigns.iter().flat_map(|campaign| [campaign.begin_at, campaign.end_at]);
    times.filter(|time| *time > now).min().unwrap_or(0)
}
