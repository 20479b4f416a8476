//! Campaigns.

use sahm_chassis::{clock, error::Result};
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
    pub(crate) async fn campaign(&self, id: Option<u64>) -> Result<Option<Campaign>> {
        let read = |services: Services| async move {
            let request = ListCampaignsRequest::default();
            Ok(reading(services.campaigns()?.list_campaigns(request)).await?.items)
        };
        let (tag, cache) = (id.map(tags::activity), &self.data.caches.campaigns);
        let campaigns = self.read_cached(tag, |all| next_change(all), cache, (), read).await?;
        Ok(campaigns.iter().find(|campaign| Some(campaign.id) == id).cloned())
    }

    /// Loads the parts of a campaign's page, each of which is optional.
    pub(crate) async fn campaign_parts(&self, campaign: Campaign) -> Result<ActivityPage> {
        let activity_id = campaign.id;
        let tags = || [tags::activity(activity_id)];
        let services = &self.data.services;
        let client = services.campaigns()?;
        let (mut info, mut custom, mut rules, mut gcc_rules) =
            (client.clone(), client.clone(), client.clone(), client);
        let draws = async {
            if !campaign.has_draws {
                return Ok(Vec::new());
            }
            let request = ListDrawsRequest { activity_id, ..Default::default() };
            Ok(self.read(tags(), never, services.draws()?.list_draws(request)).await?.items)
        };
        let (info, custom, rules, gcc_rules, draws) = tokio::join!(
            self.read(
                tags(),
                never,
                info.get_campaign_info(GetCampaignInfoRequest { activity_id })
            ),
            self.read(tags(), never, custom.get_custom_info(GetCustomInfoRequest { activity_id })),
            self.read(
                tags(),
                never,
                rules.list_campaign_rules(ListCampaignRulesRequest { activity_id })
            ),
            self.read(tags(), never, gcc_rules.list_gcc_rules(ListGccRulesRequest { activity_id })),
            draws,
        );
        let rules = self.optional("rules", rules);
        let gcc_rules = self.optional("gcc rules", gcc_rules);
        Ok(ActivityPage {
            info: self.optional("campaign info", info).and_then(|response| response.info),
            custom: self.optional("campaign figures", custom).and_then(|response| response.info),
            rules: rules.map(|response| response.rules).unwrap_or_default(),
            gcc_rules: gcc_rules.map(|response| response.rules).unwrap_or_default(),
            draws: self.optional("draws", draws).unwrap_or_default(),
            campaign: Some(campaign),
            ..ActivityPage::default()
        })
    }
}

/// When the state of a campaign changes next (epoch seconds, 0: never).
fn next_change(campaigns: &[Campaign]) -> u32 {
    let now = clock::now();
    let times = campaigns.iter().flat_map(|campaign| [campaign.begin_at, campaign.end_at]);
    times.filter(|time| *time > now).min().unwrap_or(0)
}
