//! Share channels and the campaign ids that their visits count for.

use strum::{EnumIter, EnumString, IntoStaticStr, VariantNames};

/// A channel over which a link is shared; its number is the campaign id that its visits count for.
/// Its text is the channel's name in URLs and messages, in any case; a button of a share menu is
/// another name of its channel. Buttons without a campaign id of their own count as other news.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, EnumString, IntoStaticStr, VariantNames,
)]
#[strum(serialize_all = "snake_case", ascii_case_insensitive, const_into_str)]
pub enum ShareChannel {
    #[strum(to_string = "cms_twitter", serialize = "TWITTER")]
    CmsTwitter = 1_110_619,
    #[strum(to_string = "cms_fb", serialize = "FACEBOOK")]
    CmsFacebook = 1_110_620,
    #[strum(to_string = "cms_others", serialize = "WHATSAPP", serialize = "WEIXIN")]
    #[strum(serialize = "WEIXIN_CIRCLE", serialize = "QQ", serialize = "SINA")]
    #[strum(serialize = "HSTONG")]
    CmsOthers = 1_110_621,
    EduTwitter = 1_110_622,
    #[strum(serialize = "edu_fb")]
    EduFacebook = 1_110_623,
    EduOthers = 1_110_624,
}

impl ShareChannel {
    /// The campaign id that its visits count for.
    pub fn campaign_id(self) -> u64 {
        self as u64
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

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
            let channel = text.parse().ok();
            assert_eq!(channel.map(ShareChannel::campaign_id), id, "{text}");
        }
        for channel in ShareChannel::iter() {
            assert_eq!(channel.into_str().parse(), Ok(channel));
        }
        let names = ["cms_twitter", "cms_fb", "cms_others", "edu_twitter", "edu_fb", "edu_others"];
        assert_eq!(ShareChannel::VARIANTS, names);
    }
}
