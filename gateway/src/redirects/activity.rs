//! Promotion pages: a PC gets the page after next, phones and the app get the activity app's
//! (docs/redirects.md).

use super::{Redirect, RequestedUrl, query};
use crate::visitor::{AgentId, Platform};

const SEED: [&str; 2] = ["activity", "seed"];
const PRE: [&str; 2] = ["activity", "pre-activity-new"];

/// Where the activity app's page is.
const APP_PAGE: &str = "/activitiesr/pre-activity-new";

/// The web's own channel.
const WEB_CHANNEL: &str = "1110317";

/// The campaign of the seed page.
const SEED_CAMPAIGN: &str = "6666";

/// `urlType` where none is given.
const URL_TYPE: &str = "1";

pub(super) fn decide(request: &RequestedUrl<'_>) -> Option<Redirect> {
    let is_seed = request.path.segments == SEED;
    if !is_seed && request.path.segments != PRE {
        return None;
    }
    if request.visitor.platform == Platform::Pc {
        let prefix = request.path.locale.map_or("", |locale| locale.prefix());
        let path = format!("{prefix}/{}", PRE.join("/"));
        return (is_seed && request.profile.has_agent)
            .then(|| Redirect::found(&path, request.query));
    }

    let given = |name: &str| query::value(request.query, name).filter(|value| !value.is_empty());
    let channel = given("_scnl").and_then(|channel| AgentId::parse(&channel));
    let channel = channel.or(request.profile.agent_id);
    let channel = channel.as_ref().map_or(WEB_CHANNEL, AgentId::as_str);
    let mut computed = vec![("_scnl", channel), ("lang", request.visitor.locale.tag())];
    if is_seed && given("activityId").is_none() {
        computed.push(("activityId", SEED_CAMPAIGN));
    }
    if given("urlType").is_none() {
        computed.push(("urlType", URL_TYPE));
    }
    Some(Redirect::found(APP_PAGE, &query::with(&computed, request.query)))
}
