//! The kind of device, by its user agent.

use strum::IntoStaticStr;

/// The kind of device that shows the page (docs/sessions.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Platform {
    /// Inside the brokerage's native app.
    App,
    /// A phone or tablet.
    Mobile,
    /// Everything else.
    Pc,
}

/// Parts of the user agents of phones and tablets.
pub(crate) const MOBILE_TOKENS: [&str; 8] =
    ["mobi", "android", "iphone", "ipad", "ipod", "tablet", "kindle", "silk/"];

impl Platform {
    /// The value in `data-platform` and cache keys.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The platform of a user agent; `app_marker` is the setting `SAHM_APP_USER_AGENT`.
    pub fn of(agent: &str, app_marker: &str) -> Self {
        if !app_marker.is_empty() && agent.contains(app_marker) {
            return Self::App;
        }
        if is_mobile(agent.as_bytes()) { Self::Mobile } else { Self::Pc }
    }
}

/// Searches for all tokens in one pass without allocation, because it runs for each request.
fn is_mobile(agent: &[u8]) -> bool {
    agent.windows(2).enumerate().any(|(at, two)| {
        // The first two letters of the tokens.
        let may_begin = matches!(
            [two[0] | 0x20, two[1] | 0x20],
            [b'm', b'o'] | [b'a', b'n'] | [b'i', b'p'] | [b't', b'a'] | [b'k' | b's', b'i']
        );
        may_begin
            && MOBILE_TOKENS.iter().any(|token| {
                let part = agent.get(at..at + token.len());
                part.is_some_and(|part| part.eq_ignore_ascii_case(token.as_bytes()))
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mobile_tokens_are_found_in_any_case() {
        for mark in MOBILE_TOKENS {
            for mark in [mark.to_owned(), mark.to_uppercase()] {
                assert_eq!(Platform::of(&format!("x {mark}"), ""), Platform::Mobile, "{mark}");
                assert_eq!(Platform::of(&mark[..mark.len() - 1], ""), Platform::Pc, "{mark}");
            }
        }
    }

    #[test]
    fn platform_follows_the_user_agent() {
        let cases = [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) SahmApp/4.2", Platform::App),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", Platform::Mobile),
            ("Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)", Platform::Mobile),
            ("Mozilla/5.0 (Linux; Android 15; SM-X710)", Platform::Mobile),
            ("Mozilla/5.0 (X11) ANDROI", Platform::Pc),
            ("TABLET", Platform::Mobile),
            ("Mozilla/5.0 (Linux; U; en-US) AppleWebKit Silk/3.4", Platform::Mobile),
            ("Mozilla/5.0 (X11; Linux x86_64) Chrome/150", Platform::Pc),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0)", Platform::Pc),
            ("", Platform::Pc),
        ];
        for (agent, expected) in cases {
            assert_eq!(Platform::of(agent, "SahmApp/"), expected, "{agent}");
        }
    }
}
