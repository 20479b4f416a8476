//! Campaigns as files: the built-in seed, and imports of operators.

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use strum::IntoEnumIterator;

use crate::domain::{Campaign, ShareChannel, Text};

/// The file of share texts; every other `.json` file is one campaign.
const SHARES_FILE: &str = "shares.json";

/// Maximum length of a share text in characters.
const MAX_SHARE_TEXT_LENGTH: usize = 80;

/// The contents of a set of files; absent parts stay unchanged.
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
    /// Adds a file by its name.
    ///
    /// # Errors
    /// The file is invalid; the error contains its name, the position and the reason.
    pub fn add(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        let added = match name {
            SHARES_FILE => self.add_shares(text),
            name if name.ends_with(".json") => self.add_campaign(text),
            _ => bail!("{name}: neither shares.json nor a campaign's .json"),
        };
        added.with_context(|| name.to_owned())
    }

    fn add_shares(&mut self, text: &str) -> anyhow::Result<()> {
        let rows: Vec<ShareRow> = serde_json::from_str(text)?;
        for ShareRow { channel: name, text } in rows {
            let channel = ShareChannel::iter().find(|channel| channel.into_str() == name);
            let channel = channel.with_context(|| format!("'{name}' is no channel"))?;
            text.check(MAX_SHARE_TEXT_LENGTH).with_context(|| name.clone())?;
            ensure!(self.shares.iter().all(|other| other.channel != channel), "{name} twice");
            self.shares.push(ShareText { channel, text });
        }
        Ok(())
    }

    fn add_campaign(&mut self, text: &str) -> anyhow::Result<()> {
        let campaign: Campaign = serde_json::from_str(text)?;
        campaign.check()?;
        let id = campaign.id;
        ensure!(self.campaigns.iter().all(|other| other.id != id), "campaign {id} twice");
        self.campaigns.push(campaign);
        Ok(())
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
            let error = format!("{:#}", bundle.add(name, text).unwrap_err());
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
        let error = format!("{:#}", bundle.add("b.json", text).unwrap_err());
        assert!(error.starts_with("b.json: campaign ") && error.ends_with(" twice"), "{error}");
    }
}
