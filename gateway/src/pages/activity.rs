//! `/activity/seed`, `/activity/pre-activity-new`: one campaign.

use sahm_proto::{Localize, activity::v1::Campaign, page::v1::ActivityPage};

use super::{ItemKind, LoadContext, LoadError, PageHead};
use crate::routes::DeclaredQuery;

const REGULAR_CAMPAIGN: u64 = 6666;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<ActivityPage, LoadError> {
    let query = &cx.request.query;
    let campaign = cx.optional("campaign", cx.campaign(campaign_id(query)).await);
    let page = match campaign {
        Some(Some(mut campaign)) => {
            campaign.localize(cx.locale());
            cx.campaign_parts(campaign).await?
        }
        Some(None) => return Err(LoadError::Missing(ItemKind::Page)),
        None => ActivityPage { unavailable: true, ..ActivityPage::default() },
    };
    let campaign = page.campaign.as_ref();
    let theme = query.get("theme").unwrap_or_default();
    let theme = campaign.map_or("", |campaign| theme_of(campaign, theme)).to_owned();
    let head = PageHead {
        title: campaign.map_or("", |campaign| &campaign.title),
        description: campaign.map_or("", |campaign| &campaign.summary),
        ..PageHead::default()
    };
    Ok(ActivityPage { frame: cx.frame(head), theme, ..page })
}

/// The campaign id in a query, by default that of the regular campaign; `None` if it is not a number.
pub(super) fn campaign_id(query: &DeclaredQuery) -> Option<u64> {
    query.get("activityId").map_or(Some(REGULAR_CAMPAIGN), |id| id.parse().ok())
}

/// The requested theme if the campaign has it, otherwise the campaign's first theme.
fn theme_of<'a>(campaign: &'a Campaign, requested: &str) -> &'a str {
    let themes = &campaign.themes;
    let theme = themes.iter().find(|theme| theme.id == requested).or(themes.first());
    theme.map_or("", |theme| &theme.id)
}
