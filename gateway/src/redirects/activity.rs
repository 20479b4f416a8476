//! Promotion pages: a PC gets this site's page, phones and the native app get the activity app's (docs/redirects.md).

use super::{Redirect, RequestedUrl, query};
use crate::visitor::{AgentId, Platform};

const SEED_PAGE: [&str; 2] = ["activity", "seed"];
const PROMOTION_PAGE: [&str; 2] = ["activity", "pre-activity-new"];

const APP_PAGE: &str = "/activitiesr/pre-activity-new";

/// Channel of visitors who come without one.
const DEFAULT_CHANNEL: &str = "1110317";

const SEED_CAMPAIGN: &str = "6666";

const DEFAULT_URL_TYPE: &str = "1";

pub(super) fn decide(request: &RequestedUrl<'_>) -> Option<Redirect> {
    let is_seed = request.path.segments == SEED_PAGE;
    if !is_seed && request.path.segments != PROMOTION_PAGE {
        return None;
    }
    if request.visitor.platform == Platform::Pc {
        let prefix = request.path.locale.map_or("", |locale| locale.prefix());
        let path = format!("{prefix}/{}", PROMOTION_PAGE.join("/"));
        return (is_seed && request.profile.has_agent)
            .then(|| Redirect::found(&path, request.query));
    }

    let parameter =
        |name: &str| query::value(request.query, name).filter(|value| !value.is_empty());
    let channel = parameter("_scnl").and_then(|channel| AgentId::parse(&channel));
    let channel = channel.or(request.profile.agent_id);
    let channel = channel.as_ref().map_or(DEFAULT_CHANNEL, AgentId::as_str);
    let mut computed = vec![("_scnl", channel), ("lang", request.visitor.locale.tag())];
    if is_seed && parameter("activityId").is_none() {
        computed.push(("activityId", SEED_CAMPAIGN));
    }
    if parameter("urlType").is_none() {
        computed.push(("urlType", DEFAULT_URL_TYPE));
    }
    Some(Redirect::found(APP_PAGE, &query::with(&computed, request.query)))
}
