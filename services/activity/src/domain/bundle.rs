//! Campaigns as files: the built-in seed, and imports of operators.

use serde::Deserialize;

use super::{Campaign, ShareChannel, Text};

/// The file of share texts; every other `.json` file is one campaign.
const SHARES_FILE: &str = "shares.json";

/// Maximum length of a share text in characters.
const MAX_SHARE_TEXT_LENGTH: usize = 80;

/// The contents of a set of files; what is absent stays unchanged.
#[derive(Debug, Default)]
pub struct Bundle {
    /// One per campaign file.
    pub campaigns: Vec<Campaign>,
    pub shares: Vec<ShareText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareText {
    pub channel: ShareChannel,
    /// At most 80 characters.
    pub text: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShareRow {
    channel: String,
    text: Text,
}

impl Bundle {
    /// Adds a file by its name. The error contains file, position and reason.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), String> {
        let named = |why: String| format!("{name}: {why}");
        if name == SHARES_FILE {
            let rows: Vec<ShareRow> =
                serde_json::from_str(text).map_err(|error| named(error.to_string()))?;
            for row in rows {
                let share = share(row).map_err(named)?;
                if self.shares.iter().any(|other| other.channel == share.channel) {
                    return Err(named(format!("{} twice", share.channel.name())));
                }
                self.shares.push(share);
            }
            return Ok(());
        }
        if !name.ends_with(".json") {
            return Err(named("neither shares.json nor a campaign's .json".to_owned()));
        }
        let campaign: Campaign =
            serde_json::from_str(text).map_err(|error| named(error.to_string()))?;
        if let Some(why) = campaign.fault() {
            return Err(named(why));
        }
        if self.campaigns.iter().any(|other| other.id == campaign.id) {
            return Err(named(format!("campaign {} twice", campaign.id)));
        }
        self.campaigns.push(campaign);
        Ok(())
    }
}

fn share(row: ShareRow) -> Result<ShareText, String> {
    let channel = ShareChannel::ALL.into_iter().find(|channel| channel.name() == row.channel);
    let channel = channel.ok_or_else(|| format!("'{}' is no channel", row.channel))?;
    match row.text.fault(MAX_SHARE_TEXT_LENGTH) {
        Some(why) => Err(format!("{}: {why}", row.channel)),
        None => Ok(ShareText { channel, text: row.text }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::seed;

    fn row(channel: &str, en: &str, sa: &str) -> String {
        format!("{{\"channel\":\"{channel}\",\"text\":{{\"en\":\"{en}\",\"sa\":\"{sa}\"}}}}")
    }

    #[test]
    fn errors_contain_file_and_reason() {
        let good = row("cms_fb", "a", "أ");
        let early = seed::FILES[0].1.replacen("\"id\":", "\"id\": 0, \"was\":", 1);
        let refused = seed::FILES[0].1.replacen("\"tone\": \"", "\"tone\": \"no ", 1);
        for (name, text, reason) in [
            ("1.json", "{}", "1.json: missing field"),
            ("1.jsonl", "{}", "neither shares.json"),
            ("shares.json", "{}", "shares.json: invalid type"),
            ("1.json", &early, "1.json: unknown field"),
            ("1.json", &refused, "1.json: themes.0: tone"),
            ("shares.json", &format!("[{}]", row("fb", "a", "أ")), "'fb' is no channel"),
            ("shares.json", &format!("[{good},{good}]"), "cms_fb twice"),
            (
                "shares.json",
                &format!("[{}]", row("cms_fb", &"a".repeat(81), "أ")),
                "cms_fb: en: 1 to 80",
            ),
            (
                "shares.json",
                &format!("[{}]", row("cms_fb", "a", &"أ".repeat(81))),
                "cms_fb: sa: 1 to 80",
            ),
        ] {
            let mut bundle = Bundle::default();
            let error = bundle.add(name, text).unwrap_err();
            assert!(error.contains(reason), "{error}");
            assert!(bundle.campaigns.is_empty());
        }
    }

    #[test]
    fn share_texts_are_parsed_per_channel() {
        let (en, sa) = ("a".repeat(80), "أ".repeat(80));
        let text = format!("[{},{}]", row("cms_fb", &en, &sa), row("cms_twitter", "b", "ب"));
        let mut bundle = Bundle::default();
        bundle.add("shares.json", &text).unwrap();
        let share = |channel, en: &str, sa: &str| ShareText { channel, text: Text::of(en, sa) };
        let expected =
            [share(ShareChannel::CmsFacebook, &en, &sa), share(ShareChannel::CmsTwitter, "b", "ب")];
        assert_eq!(bundle.shares, expected);
    }

    #[test]
    fn repeated_campaign_is_rejected() {
        let text = seed::FILES[0].1;
        let mut bundle = Bundle::default();
        bundle.add("a.json", text).unwrap();
        assert!(bundle.add("b.json", text).unwrap_err().contains("twice"));
    }
}
