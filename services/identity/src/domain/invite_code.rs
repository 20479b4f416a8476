//! Invitation codes of new members. Whether a code exists is not checked here.

use sahm_chassis::{
    error::{Error, Result},
    validate,
};

/// Parses user input to 4 to 16 letters and digits in upper case; empty means no code.
///
/// # Errors
/// Names the field `invite_code`.
pub fn parse_invite_code(text: &str) -> Result<String> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    let code = validate::invite_code(text);
    code.ok_or_else(|| Error::field("invite_code", "Invalid invitation code."))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn invite_code_is_parsed() {
        for (text, code) in [("", ""), (" ", ""), (" ab12 ", "AB12")] {
            assert_eq!(parse_invite_code(text).unwrap(), code);
        }
        assert!(parse_invite_code("abc").is_err());
    }
}
