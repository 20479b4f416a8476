//! `/activity/seed`, `/activity/pre-activity-new`: one campaign.

use std::sync::Arc;

use sahm_chassis::error::Error;
use sahm_proto::{
    activity::v1::{
        Campaign, GetCampaignInfoRequest, GetCustomInfoRequest, ListCampaignRulesRequest,
        ListCampaignsRequest, ListDrawsRequest, ListGccRulesRequest,
    },
    page::v1::ActivityPage,
    tags,
};

use super::{Document, Found, Loaded, Loaders, PageRequest, frame::PageHead, now};
use crate::{
    routes::{DeclaredQuery, PageId},
    services::reading,
    visitor::Locale,
};

/// The regular campaign.
const REGULAR: u64 = 6666;

impl Loaders {
    pub(super) async fn activity(&self, request: &PageRequest, page: PageId) -> Loaded {
        let id = asked_campaign(&request.query);
        let mut found = Found::default();
        found.tags.extend(id.map(tags::activity));
        let campaigns = found.optional("campaign", self.campaigns().await);
        let campaign = campaigns.as_ref().map(|all| all.iter().find(|one| Some(one.id) == id));
        let mut document = match campaign {
            Some(Some(campaign)) => self.campaign_parts(campaign.clone(), &mut found).await,
            Some(None) => return self.not_found(request, Some(("page", found.tags))),
            None => ActivityPage { unavailable: true, ..ActivityPage::default() },
        };
        let campaign = document.campaign.as_ref();
        let theme = request.query.get("theme").unwrap_or_default();
        let theme = campaign.map_or("", |campaign| theme_of(campaign, theme)).to_owned();
        let (title, summary) =
            campaign.map_or(("", ""), |campaign| texts(campaign, request.visitor.locale));
        let head = PageHead { title, description: summary, ..PageHead::default() };
        let frame = Some(self.frame_of_page(request, page, head));
        document = ActivityPage { frame, theme, ..document };
        found.loaded(200, page.as_str(), Document::Activity(Box::new(document)))
    }

    /// What of a campaign page's query exists: the campaign, and its theme; `None` where the
    /// service does not say.
    pub(super) async fn campaign_query(&self, query: &DeclaredQuery) -> Option<CampaignQuery> {
        let campaigns = self.campaigns().await.ok()?;
        let id = asked_campaign(query);
        let campaign = campaigns.iter().find(|campaign| Some(campaign.id) == id);
        let theme = query.get("theme");
        Some(CampaignQuery {
            has_campaign: campaign.is_some(),
            has_theme: campaign.is_some_and(|campaign| {
                campaign.themes.iter().any(|known| Some(known.id.as_str()) == theme)
            }),
        })
    }

    /// Every campaign.
    async fn campaigns(&self) -> Result<Arc<Vec<Campaign>>, Error> {
        let read = || {
            let services = self.services.clone();
            async move {
                let request = ListCampaignsRequest::default();
                let campaigns = reading(services.campaigns()?.list_campaigns(request)).await?.items;
                // A campaign's state is of the moment it was read at.
                let now = now();
                let times = campaigns.iter().flat_map(|one| [one.begin_at, one.end_at]);
                let changes_at = times.filter(|time| *time > now).min().unwrap_or(0);
                Ok((campaigns, changes_at))
            }
        };
        self.shared.campaigns.get((), read).await
    }

    async fn campaign_parts(&self, campaign: Campaign, found: &mut Found) -> ActivityPage {
        let activity_id = campaign.id;
        // Its state changes then.
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

/// What of a campaign page's query exists.
pub(super) struct CampaignQuery {
    pub(super) has_campaign: bool,
    pub(super) has_theme: bool,
}

/// The campaign that a query names, the regular one without a name; `None`: what it names is no id.
fn asked_campaign(query: &DeclaredQuery) -> Option<u64> {
    query.get("activityId").map_or(Some(REGULAR), |id| id.parse().ok())
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
