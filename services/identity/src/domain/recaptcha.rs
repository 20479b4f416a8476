//! reCAPTCHA: the action that a token was created for, and the minimum score.

use sahm_chassis::error::{Error, Result};

/// Minimum score of a person.
pub const MIN_SCORE: f64 = 0.5;

/// The action of requesting a code.
pub const AUTH_CODE_ACTION: &str = "auth_code";

/// Validates an action: 1 to 60 letters, digits, `_` and `/`.
///
/// # Errors
/// Names the field `action`.
pub fn validate_action(text: &str) -> Result<()> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/');
    if (1..=60).contains(&text.len()) && text.bytes().all(fits) {
        return Ok(());
    }
    Err(Error::field("action", "must be 1 to 60 letters, digits, '_' and '/'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn action_is_validated() {
        for (text, fits) in [("login", true), ("a/b_1", true), ("", false), ("a b", false)] {
            assert_eq!(validate_action(text).is_ok(), fits, "{text}");
        }
    }
}
