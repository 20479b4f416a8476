//! `/activity/seed`, `/activity/pre-activity-new`: one campaign.

use sahm_chassis::error::Error;
use sahm_proto::{
    activity::v1::{
        Campaign, GetCampaignInfoRequest, GetCampaignRequest, GetCustomInfoRequest,
        ListCampaignRulesRequest, ListDrawsRequest, ListGccRulesRequest,
    },
    page::v1::ActivityPage,
    tags,
};

use super::{Document, Found, Loaded, Loaders, PageRequest, frame::PageHead, now};
use crate::{routes::PageId, services::reading, visitor::Locale};

/// The regular campaign (specification §9).
const REGULAR: u64 = 6666;

impl Loaders {
    pub(super) async fn activity(&self, request: &PageRequest, page: PageId) -> Loaded {
        let asked = request.query.get("activityId").and_then(|id| id.parse().ok());
        let id = asked.unwrap_or(REGULAR);
        let mut found = Found::default();
        found.tag(tags::activity(id));
        let campaign = found.optional("campaign", self.campaign(id).await);
        let unavailable = campaign.is_none();
        let mut document = match campaign.flatten() {
            Some(campaign) => self.campaign_parts(campaign, &mut found).await,
            None => ActivityPage::default(),
        };
        let campaign = document.campaign.as_ref();
        let theme = request.query.get("theme").unwrap_or_default();
        let theme = campaign.map_or("", |campaign| theme_of(campaign, theme)).to_owned();
        let (title, summary) =
            campaign.map_or(("", ""), |campaign| texts(campaign, request.visitor.locale));
        let head = PageHead { title, description: summary, ..PageHead::default() };
        let frame = self.frame_of_page(request, page, head, &mut found).await;
        document = ActivityPage { frame: Some(frame), theme, unavailable, ..document };
        found.loaded(200, page.as_str(), Document::Activity(Box::new(document)))
    }

    /// `None` for one that does not exist.
    async fn campaign(&self, activity_id: u64) -> Result<Option<Campaign>, Error> {
        let request = GetCampaignRequest { activity_id };
        Ok(reading(self.services.campaigns()?.get_campaign(request)).await?.campaign)
    }

    async fn campaign_parts(&self, campaign: Campaign, found: &mut Found) -> ActivityPage {
        let activity_id = campaign.id;
        // Its state changes then (specification §5 'Timed item').
        for time in [campaign.begin_at, campaign.end_at] {
            found.changes_at(if time > now() { time } else { 0 });
        }
        let info = async {
            let request = GetCampaignInfoRequest { activity_id };
            Ok::<_, Error>(
                reading(self.services.campaigns()?.get_campaign_info(request)).await?.info,
            )
        };
        let custom = async {
            let request = GetCustomInfoRequest { activity_id };
            Ok::<_, Error>(reading(self.services.campaigns()?.get_custom_info(request)).await?.info)
        };
        let rules = async {
            let request = ListCampaignRulesRequest { activity_id };
            reading(self.services.campaigns()?.list_campaign_rules(request)).await
        };
        let gcc_rules = async {
            let request = ListGccRulesRequest { activity_id };
            reading(self.services.campaigns()?.list_gcc_rules(request)).await
        };
        let draws = async {
            if !campaign.has_draws {
                return Ok(Vec::new());
            }
            let request = ListDrawsRequest { activity_id, ..Default::default() };
            Ok(reading(self.services.draws()?.list_draws(request)).await?.items)
        };
        let (info, custom, rules, gcc_rules, draws) =
            tokio::join!(info, custom, rules, gcc_rules, draws);
        let rules = found.optional("rules", rules).map(|answer| answer.rules);
        let gcc_rules = found.optional("gcc rules", gcc_rules).map(|answer| answer.rules);
        ActivityPage {
            info: found.optional("campaign info", info).flatten(),
            custom: found.optional("campaign figures", custom).flatten(),
            rules: rules.unwrap_or_default(),
            gcc_rules: gcc_rules.unwrap_or_default(),
            draws: found.optional("draws", draws).unwrap_or_default(),
            campaign: Some(campaign),
            ..ActivityPage::default()
        }
    }
}

/// The asked theme where the campaign has it, else its first one.
fn theme_of<'a>(campaign: &'a Campaign, asked: &str) -> &'a str {
    let themes = &campaign.themes;
    let theme = themes.iter().find(|theme| theme.id == asked).or(themes.first());
    theme.map_or("", |theme| &theme.id)
}

fn texts(campaign: &Campaign, locale: Locale) -> (&str, &str) {
    let (title, summary) = match locale {
        Locale::ArSa => (&campaign.title_sa, &campaign.summary_sa),
        Locale::EnUs => (&campaign.title_en, &campaign.summary_en),
    };
    (
        if title.is_empty() { &campaign.title } else { title },
        if summary.is_empty() { &campaign.summary } else { summary },
    )
}
