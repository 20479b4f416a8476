//! Cookies that any page may set (docs/sessions.md): the language, the channel's agent, the campaign. They are added after
//! the cache lookup, and depend only on the visitor's request.

mod campaign;

use arc_swap::ArcSwapOption;
use http::{HeaderMap, HeaderValue, header};
use sahm_chassis::settings::Settings;

use crate::visitor::{AgentId, Locale};

/// Lifetime of the cookie `lang`: one year in seconds.
const LOCALE_MAX_AGE_SECONDS: u32 = 31_536_000;

/// Sets the cookies of pages.
#[derive(Debug)]
pub(crate) struct PageCookies {
    secure: bool,
    /// The cookie of visitors without a campaign, equal for all of them within its epoch second.
    no_campaign: ArcSwapOption<(u32, HeaderValue)>,
}

impl PageCookies {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { secure: !settings.environment.is_dev(), no_campaign: ArcSwapOption::empty() }
    }

    /// Sets the cookie of a language that the query selected.
    pub(crate) fn remember_locale(&self, headers: &mut HeaderMap, locale: Locale) {
        append(headers, self.line("lang", locale.as_str(), Some(LOCALE_MAX_AGE_SECONDS)));
    }

    /// Sets the cookies of the agent and the campaign that brought the visitor, unless the request already has them.
    ///
    /// `query` and `request` are those of the request; `now` is in epoch seconds.
    pub(crate) fn remember_origin(
        &self,
        headers: &mut HeaderMap,
        query: &str,
        request: &HeaderMap,
        now: u32,
    ) {
        // The names of all parameters that are read contain one of these characters; most queries do not.
        let query = if query.contains(['_', '%']) { query } else { "" };
        if let Some(agent) = new_agent(query, request) {
            append(headers, self.line(AgentId::COOKIE, agent.as_str(), None));
        }
        match campaign::updated(query, request, now) {
            Some(campaign) if campaign.is_empty() => {
                append(headers, self.no_campaign(&campaign, now));
            }
            Some(campaign) => append(headers, self.campaign(&campaign)),
            None => {}
        }
    }

    fn no_campaign(&self, campaign: &campaign::Campaign, now: u32) -> Option<HeaderValue> {
        match self.no_campaign.load().as_deref() {
            Some((built_at, line)) if *built_at == now => Some(line.clone()),
            _ => {
                let line = self.campaign(campaign)?;
                self.no_campaign.store(Some((now, line.clone()).into()));
                Some(line)
            }
        }
    }

    fn campaign(&self, campaign: &campaign::Campaign) -> Option<HeaderValue> {
        self.line(campaign::COOKIE, &campaign.value(), Some(campaign::MAX_AGE_SECONDS))
    }

    /// `Set-Cookie` of a cookie that scripts may read. Without `age`, in seconds, it ends with the browser's session.
    fn line(&self, name: &str, value: &str, age: Option<u32>) -> Option<HeaderValue> {
        let age = age.map(|age| format!("; Max-Age={age}")).unwrap_or_default();
        let secure = if self.secure { "; Secure" } else { "" };
        HeaderValue::try_from(format!("{name}={value}; Path=/{age}; SameSite=Lax{secure}")).ok()
    }
}

/// Whether a query has a parameter for which a page sets a cookie, at least for some visitors.
pub(crate) fn names_campaign(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(name, _)| campaign::PARAMETERS.contains(&&*name))
}

/// The agent of a numeric `_scnl`, unless the agent's cookie names it already.
fn new_agent(query: &str, request: &HeaderMap) -> Option<AgentId> {
    let (_, channel) =
        form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "_scnl")?;
    AgentId::parse(&channel).filter(|id| AgentId::of(request).as_ref() != Some(id))
}

fn append(headers: &mut HeaderMap, line: Option<HeaderValue>) {
    if let Some(line) = line {
        headers.append(header::SET_COOKIE, line);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sahm_chassis::settings::Process;

    use super::*;

    #[test]
    fn the_cookie_of_visitors_without_a_campaign_is_built_once_a_second() {
        let cookies = PageCookies::new(&Settings::from_pairs(Process::Gateway, []).unwrap());
        let set = |query: &str, now: u32| {
            let mut headers = HeaderMap::new();
            cookies.remember_origin(&mut headers, query, &HeaderMap::new(), now);
            let lines = headers.get_all(header::SET_COOKIE).iter();
            lines.map(|line| line.to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let first = set("", 7);
        assert_eq!((first.len(), &set("tab=2", 7)), (1, &first));
        assert!(first[0].contains("expired%22%3A3607%2C"), "{first:?}");
        // A campaign in the query does not change the cookie of other visitors.
        for campaign in ["_pid=a", "%5Fpid=a"] {
            assert!(set(campaign, 7)[0].contains("pid%22%3A%22a%22"), "{campaign}");
            assert_eq!(set("", 7), first);
        }
        assert_eq!(set("_s%63nl=42", 7)[0], "AGENTID=42; Path=/; SameSite=Lax");
        assert!(set("", 8)[0].contains("expired%22%3A3608%2C"));
    }
}
