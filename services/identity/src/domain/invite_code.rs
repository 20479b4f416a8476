//! Invitation codes of new members. Whether a code exists is not checked here.

use sahm_chassis::{
    error::{Error, Result},
    validate,
};

/// 4 to 16 letters and digits, in upper case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteCode(String);

impl InviteCode {
    /// Parses user input; empty means no code.
    ///
    /// # Errors
    /// Names the field `invite_code`.
    pub fn parse(text: &str) -> Result<Option<InviteCode>> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let code = validate::invite_code(text);
        let code = code.ok_or_else(|| Error::field("invite_code", "Invalid invitation code."))?;
        Ok(Some(InviteCode(code)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn invite_code_is_parsed() {
        for (text, code) in [("", None), (" ", None), (" ab12 ", Some("AB12"))] {
            let read = InviteCode::parse(text).unwrap();
            assert_eq!(read.as_ref().map(InviteCode::as_str), code);
        }
        assert!(InviteCode::parse("abc").is_err());
    }
}
