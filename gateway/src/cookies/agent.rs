//! `AGENTID`: the agent of the channel that brought a visitor, from a numeric `_scnl`.

use std::borrow::Cow;

use http::HeaderMap;

use crate::visitor;

pub(super) const NAME: &str = "AGENTID";

/// Digits of an id.
const DIGITS: usize = 19;

/// Whether a text is an agent's id: 1 to 19 digits.
pub(crate) fn is_agent_id(text: &str) -> bool {
    (1..=DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The cookie, where it is one.
pub(crate) fn agent_id(headers: &HeaderMap) -> Option<&str> {
    visitor::cookie(headers, NAME).filter(|id| is_agent_id(id))
}

/// The agent that a query names, where it is not the one that is known.
pub(super) fn brought<'a>(query: &'a str, headers: &HeaderMap) -> Option<Cow<'a, str>> {
    if !query.contains("scnl") {
        return None;
    }
    let (_, channel) =
        form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "_scnl")?;
    (is_agent_id(&channel) && agent_id(headers) != Some(&*channel)).then_some(channel)
}
