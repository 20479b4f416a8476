//! reCAPTCHA: the action of a token and the minimum score.

use sahm_chassis::error::{Error, Result};

/// Minimum score of a person.
pub const MIN_SCORE: f64 = 0.5;

/// The action that a token was created for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecaptchaAction(String);

impl RecaptchaAction {
    /// The action of requesting a code.
    pub fn auth_code() -> RecaptchaAction {
        RecaptchaAction("auth_code".to_owned())
    }

    /// Parses 1 to 60 letters, digits, `_` and `/`.
    ///
    /// # Errors
    /// Names the field `action`.
    pub fn parse(text: &str) -> Result<RecaptchaAction> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/');
        if (1..=60).contains(&text.len()) && text.bytes().all(fits) {
            return Ok(RecaptchaAction(text.to_owned()));
        }
        Err(Error::field("action", "must be 1 to 60 letters, digits, '_' and '/'"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn action_is_parsed() {
        for (text, fits) in [("login", true), ("a/b_1", true), ("", false), ("a b", false)] {
            assert_eq!(RecaptchaAction::parse(text).is_ok(), fits, "{text}");
        }
    }
}
