//! Share channels and the campaign ids that their visits count for.

use strum::IntoStaticStr;

/// A channel over which a link is shared; its number is the campaign id that its visits count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ShareChannel {
    CmsTwitter = 1_110_619,
    #[strum(serialize = "cms_fb")]
    CmsFacebook = 1_110_620,
    CmsOthers = 1_110_621,
    EduTwitter = 1_110_622,
    #[strum(serialize = "edu_fb")]
    EduFacebook = 1_110_623,
    EduOthers = 1_110_624,
}

/// Buttons without a campaign id of their own.
const OTHER_BUTTONS: [&str; 6] = ["WHATSAPP", "WEIXIN", "WEIXIN_CIRCLE", "QQ", "SINA", "HSTONG"];

impl ShareChannel {
    pub const ALL: [ShareChannel; 6] = [
        ShareChannel::CmsTwitter,
        ShareChannel::CmsFacebook,
        ShareChannel::CmsOthers,
        ShareChannel::EduTwitter,
        ShareChannel::EduFacebook,
        ShareChannel::EduOthers,
    ];

    /// The channel's name in URLs and messages.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The campaign id that its visits count for.
    pub fn campaign_id(self) -> u64 {
        self as u64
    }

    /// Parses the name of a channel, or of a button, which counts as news.
    pub fn parse(text: &str) -> Option<ShareChannel> {
        let is = |name: &str| text.eq_ignore_ascii_case(name);
        let named = ShareChannel::ALL.into_iter().find(|channel| is(channel.name()));
        named.or_else(|| match () {
            () if is("TWITTER") => Some(ShareChannel::CmsTwitter),
            () if is("FACEBOOK") => Some(ShareChannel::CmsFacebook),
            () if OTHER_BUTTONS.into_iter().any(is) => Some(ShareChannel::CmsOthers),
            () => None,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_have_their_campaign_ids() {
        for (text, id) in [
            ("cms_twitter", Some(1_110_619)),
            ("cms_fb", Some(1_110_620)),
            ("cms_others", Some(1_110_621)),
            ("edu_twitter", Some(1_110_622)),
            ("edu_fb", Some(1_110_623)),
            ("EDU_OTHERS", Some(1_110_624)),
            ("TWITTER", Some(1_110_619)),
            ("facebook", Some(1_110_620)),
            ("WHATSAPP", Some(1_110_621)),
            ("WEIXIN_CIRCLE", Some(1_110_621)),
            ("", None),
            ("edu", None),
            ("1110619", None),
        ] {
            assert_eq!(ShareChannel::parse(text).map(ShareChannel::campaign_id), id, "{text}");
        }
        for channel in ShareChannel::ALL {
            assert_eq!(ShareChannel::parse(channel.name()), Some(channel));
        }
    }
}
