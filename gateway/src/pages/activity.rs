//! `/activity/seed`, `/activity/pre-activity-new`: one campaign.

use sahm_chassis::{clock, error::Result};
use sahm_proto::{
    Localize,
    activity::v1::{
        Campaign, GetCampaignInfoRequest, GetCustomInfoRequest, ListCampaignRulesRequest,
        ListCampaignsRequest, ListCampaignsResponse, ListDrawsRequest, ListGccRulesRequest,
    },
    page::v1::ActivityPage,
    tags,
};

use super::{ItemKind, LoadContext, LoadError, PageHead};

const REGULAR_CAMPAIGN: u64 = 6666;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<ActivityPage, LoadError> {
    let query = &cx.request.query;
    let campaign = match cx.optional("campaign", campaign(cx).await) {
        Some(campaign) => campaign.ok_or(LoadError::Missing(ItemKind::Page))?,
        None => {
            let frame = cx.frame(PageHead::default());
            return Ok(ActivityPage { frame, unavailable: true, ..ActivityPage::default() });
        }
    };
    let mut page = parts(cx, campaign).await;
    let campaign = page.campaign.get_or_insert_default();
    campaign.localize(cx.locale());
    page.theme = theme_of(campaign, query.get("theme").unwrap_or_default()).to_owned();
    let (title, description) = (campaign.title.as_str(), campaign.summary.as_str());
    page.frame = cx.frame(PageHead { title, description, ..PageHead::default() });
    Ok(page)
}

/// Loads the parts of a campaign's page, each of which is optional.
async fn parts(cx: &LoadContext<'_>, campaign: Campaign) -> ActivityPage {
    let activity_id = campaign.id;
    let tags = || [tags::activity(activity_id)];
    let draws = async {
        if !campaign.has_draws {
            return Ok(Vec::new());
        }
        let request = ListDrawsRequest { activity_id, ..Default::default() };
        Ok(cx.read(tags(), request).await?.items)
    };
    let (info, custom, rules, gcc_rules, draws) = tokio::join!(
        cx.read(tags(), GetCampaignInfoRequest { activity_id }),
        cx.read(tags(), GetCustomInfoRequest { activity_id }),
        cx.read(tags(), ListCampaignRulesRequest { activity_id }),
        cx.read(tags(), ListGccRulesRequest { activity_id }),
        draws,
    );
    ActivityPage {
        info: cx.optional("campaign info", info).and_then(|response| response.info),
        custom: cx.optional("campaign figures", custom).and_then(|response| response.info),
        rules: cx.optional("rules", rules).unwrap_or_default().rules,
        gcc_rules: cx.optional("gcc rules", gcc_rules).unwrap_or_default().rules,
        draws: cx.optional("draws", draws).unwrap_or_default(),
        campaign: Some(campaign),
        ..ActivityPage::default()
    }
}

/// The campaign that the query names, by default the regular one; `None` if it does not exist.
pub(super) async fn campaign(cx: &LoadContext<'_>) -> Result<Option<Campaign>> {
    let id = cx.request.query.get("activityId");
    let id = id.map_or(Some(REGULAR_CAMPAIGN), |id| id.parse().ok());
    let (tag, request) = (id.map(tags::activity), ListCampaignsRequest::default());
    let campaigns = cx.find_shared_until(tag, request, next_change_at).await?;
    Ok(campaigns.items.iter().find(|campaign| Some(campaign.id) == id).cloned())
}

/// When the state of a campaign changes next (epoch seconds, 0: never).
fn next_change_at(campaigns: &ListCampaignsResponse) -> u32 {
    let now = clock::now();
    let times = campaigns.items.iter().flat_map(|campaign| [campaign.begin_at, campaign.end_at]);
    times.filter(|time| *time > now).min().unwrap_or(0)
}

/// The requested theme if the campaign has it, otherwise the campaign's first theme.
fn theme_of<'a>(campaign: &'a Campaign, requested: &str) -> &'a str {
    let themes = &campaign.themes;
    let theme = themes.iter().find(|theme| theme.id == requested).or(themes.first());
    theme.map_or("", |theme| &theme.id)
}
