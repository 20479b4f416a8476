//! Cookies that any page may set (docs/sessions.md): the language, the channel's agent, the campaign. They are added after
//! the cache lookup, from this visitor's request alone.

mod agent;
mod campaign;

use arc_swap::ArcSwapOption;
use http::{HeaderMap, HeaderValue, header};
use sahm_chassis::settings::Settings;

use crate::visitor::{AgentId, Locale};

/// One year, as docs/sessions.md says of `lang`.
const YEAR: u32 = 31_536_000;

/// Sets the cookies of pages.
#[derive(Debug)]
pub(crate) struct PageCookies {
    secure: bool,
    /// The cookie of visitors without a campaign, and its epoch second.
    blank: ArcSwapOption<(u32, HeaderValue)>,
}

impl PageCookies {
    /// The cookies of an environment.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { secure: !settings.environment.is_dev(), blank: ArcSwapOption::empty() }
    }

    /// Remembers a language that was chosen by query.
    pub(crate) fn remember_locale(&self, headers: &mut HeaderMap, locale: Locale) {
        append(headers, self.line("lang", locale.as_str(), Some(YEAR)));
    }

    /// Remembers which channel and campaign brought the visitor to a page, where that is news.
    ///
    /// `query` and `asked` are the request's; `now` is in epoch seconds.
    pub(crate) fn remember_origin(
        &self,
        headers: &mut HeaderMap,
        query: &str,
        asked: &HeaderMap,
        now: u32,
    ) {
        // Each parameter that is read contains one of them; most queries do not.
        let query = if query.contains(['_', '%']) { query } else { "" };
        if let Some(agent) = agent::brought(query, asked) {
            append(headers, self.line(AgentId::COOKIE, agent.as_str(), None));
        }
        match campaign::brought(query, asked, now) {
            Some(campaign) if campaign.is_blank() => append(headers, self.blank(&campaign, now)),
            Some(campaign) => append(headers, self.campaign(&campaign)),
            None => {}
        }
    }

    fn blank(&self, campaign: &campaign::Campaign, now: u32) -> Option<HeaderValue> {
        match self.blank.load().as_deref() {
            Some((made_at, line)) if *made_at == now => Some(line.clone()),
            _ => {
                let line = self.campaign(campaign)?;
                self.blank.store(Some((now, line.clone()).into()));
                Some(line)
            }
        }
    }

    fn campaign(&self, campaign: &campaign::Campaign) -> Option<HeaderValue> {
        self.line(campaign::NAME, &campaign.value(), Some(campaign::LIFE))
    }

    /// `age` in seconds; without one the cookie ends with the browser's session. Scripts may read
    /// it.
    fn line(&self, name: &str, value: &str, age: Option<u32>) -> Option<HeaderValue> {
        let age = age.map(|age| format!("; Max-Age={age}")).unwrap_or_default();
        let secure = if self.secure { "; Secure" } else { "" };
        HeaderValue::try_from(format!("{name}={value}; Path=/{age}; SameSite=Lax{secure}")).ok()
    }
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
        // Who brings something has a value of its own and changes nobody else's.
        for brings in ["_pid=a", "%5Fpid=a"] {
            assert!(set(brings, 7)[0].contains("pid%22%3A%22a%22"), "{brings}");
            assert_eq!(set("", 7), first);
        }
        assert_eq!(set("_s%63nl=42", 7)[0], "AGENTID=42; Path=/; SameSite=Lax");
        assert!(set("", 8)[0].contains("expired%22%3A3608%2C"));
    }
}
