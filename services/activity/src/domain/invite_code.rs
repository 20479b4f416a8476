//! Invitation codes and the links that contain them.

use std::fmt;

use sahm_chassis::validate;
use sahm_proto::Locale;

use super::{ShareChannel, Text};

/// Letters and digits, without those that look alike.
const ALPHABET: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const CODE_LENGTH: usize = 8;

/// 4 to 16 letters and digits in upper case; generated codes have 8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteCode(String);

/// The result of checking a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It belongs to a member.
    Valid,
    /// It cannot be a code.
    Invalid,
    /// It belongs to no member.
    Unknown,
}

impl InviteCode {
    /// Generates a code from a number that is uniformly distributed over 64 bits.
    pub fn of(mut number: u64) -> InviteCode {
        let mut code = String::with_capacity(CODE_LENGTH);
        for _ in 0..CODE_LENGTH {
            let (rest, at) = (number / 31, number % 31);
            code.push(char::from(ALPHABET[at as usize]));
            number = rest;
        }
        InviteCode(code)
    }

    /// Parses user input; `None` if it cannot be a code.
    pub fn parse(text: &str) -> Option<InviteCode> {
        validate::invite_code(text).map(InviteCode)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InviteCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Checked {
    /// The message for visitors; empty for a valid code.
    pub fn text(self) -> Text {
        match self {
            Checked::Valid => Text::default(),
            Checked::Invalid => Text::of("Invalid invitation code.", "رمز الدعوة غير صالح."),
            Checked::Unknown => {
                Text::of("Invitation code does not exist.", "رمز الدعوة غير موجود.")
            }
        }
    }
}

/// The URL that a member shares: the campaign's page, with code and channel in the query.
pub fn link(
    origin: &str,
    locale: Locale,
    activity_id: u64,
    code: &InviteCode,
    channel: ShareChannel,
) -> String {
    let (prefix, scnl) = (locale.prefix(), channel.campaign_id());
    format!(
        "{origin}{prefix}/activity/pre-activity-new?activityId={activity_id}&inviteCode={code}&_scnl={scnl}"
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn link_contains_campaign_code_and_channel() {
        let code = InviteCode::parse("AB12CD34").unwrap();
        assert_eq!(
            link("https://sahm.example", Locale::ArSa, 6666, &code, ShareChannel::CmsTwitter),
            "https://sahm.example/ar-sa/activity/pre-activity-new\
             ?activityId=6666&inviteCode=AB12CD34&_scnl=1110619"
        );
    }

    proptest! {
        #[test]
        fn generated_code_is_parsed(number: u64) {
            let code = InviteCode::of(number);
            prop_assert_eq!(code.as_str().len(), CODE_LENGTH);
            prop_assert_eq!(InviteCode::parse(&code.as_str().to_lowercase()), Some(code));
        }

        #[test]
        fn codes_of_adjacent_numbers_differ(number in 0..u64::MAX) {
            prop_assert_ne!(InviteCode::of(number), InviteCode::of(number + 1));
        }
    }
}
