//! `AGENTID`: the agent of the channel that brought a visitor, from a numeric `_scnl`.

use http::HeaderMap;

use crate::visitor::AgentId;

/// The agent that a query names, where it is not the one that is known.
pub(super) fn brought(query: &str, headers: &HeaderMap) -> Option<AgentId> {
    let (_, channel) =
        form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "_scnl")?;
    AgentId::parse(&channel).filter(|id| AgentId::of(headers).as_ref() != Some(id))
}
