//! The agent of the channel that brought a visitor.

/// Maximum length of an id.
const MAX_DIGITS: usize = 19;

/// An agent's id as it was sent: 1 to 19 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AgentId {
    digits: [u8; MAX_DIGITS],
    count: u8,
}

impl AgentId {
    pub const COOKIE: &str = "AGENTID";

    /// Parses an id; `None` for other text (docs/sessions.md).
    pub fn parse(text: &str) -> Option<Self> {
        let count = u8::try_from(text.len()).ok().filter(|count| *count > 0)?;
        let mut digits = [0; MAX_DIGITS];
        digits.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        text.bytes().all(|byte| byte.is_ascii_digit()).then_some(Self { digits, count })
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        // They are ASCII.
        std::str::from_utf8(&self.digits[..usize::from(self.count)]).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ids_are_digits_and_keep_leading_zeros() {
        for (text, is_id) in [
            ("7", true),
            ("007", true),
            ("9999999999999999999", true),
            ("", false),
            ("99999999999999999999", false),
            ("-4", false),
            ("4x", false),
            ("٤", false),
            (" 4", false),
        ] {
            let id = AgentId::parse(text);
            assert_eq!(id.as_ref().map(AgentId::as_str), is_id.then_some(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn parsed_id_is_the_whole_text(text in "[0-9]{0,24}|.{0,24}|.{300}") {
            let is_id = (1..=MAX_DIGITS).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_digit());
            let id = AgentId::parse(&text);
            prop_assert_eq!(id.as_ref().map(AgentId::as_str), is_id.then_some(text.as_str()));
        }
    }
}
