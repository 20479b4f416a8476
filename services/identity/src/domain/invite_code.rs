//! Syntax of invitation codes. Whether a code exists is not checked here.

use sahm_chassis::error::{Error, Result};

/// 4 to 16 letters and digits, in upper case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteCode(String);

impl InviteCode {
    /// Parses user input; empty means no code.
    ///
    /// # Errors
    /// Names the field `invite_code`.
    pub fn parse(text: &str) -> Result<Option<InviteCode>> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let fits =
            (4..=16).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric());
        if !fits {
            return Err(Error::field("invite_code", "Invalid invitation code."));
        }
        Ok(Some(InviteCode(text.to_ascii_uppercase())))
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
        for invalid in ["abc", "ab-12", "سهم12", "12345678901234567"] {
            assert!(InviteCode::parse(invalid).is_err(), "{invalid}");
        }
    }
}
