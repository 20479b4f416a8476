//! Members and how their accounts stand (specification §3 'userInfo', §4).

use sahm_chassis::error::{Error, Result};

use super::{Email, Phone};

/// Bytes of an account's number.
const HS_NO_BYTES: usize = 32;

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// From 1; also `mid`.
    pub id: u64,
    /// The number that it signed up with.
    pub phone: Phone,
    /// Whether an email is known.
    pub has_email: bool,
    /// Whether a password is set.
    pub has_password: bool,
    /// The account.
    pub standing: Standing,
    /// The invitation code given at sign-up; empty for none.
    pub invite_code: String,
    /// Epoch seconds.
    pub created_at: u32,
}

/// How an account stands; a member who has just signed up has none yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Account-opening status.
    pub status: i32,
    /// An account is opened.
    pub opened: bool,
    /// It trades Saudi stocks too.
    pub opened_saudi: bool,
    /// Its number.
    pub hs_no: Option<String>,
    /// Whether the benefits of social sign-up were given.
    pub is_obtain_sns: bool,
}

impl Standing {
    /// What an account-opening system says must hold together.
    ///
    /// Errors: `status`, `hs_no`, `opened_saudi`.
    pub fn check(&self) -> Result<()> {
        if !(0..=99).contains(&self.status) {
            return Err(Error::field("status", "must be 0 to 99"));
        }
        if let Some(hs_no) = &self.hs_no {
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            if hs_no.len() > HS_NO_BYTES || !hs_no.bytes().all(fits) {
                return Err(Error::field("hs_no", "is at most 32 letters, digits and hyphens"));
            }
        }
        if self.opened && self.hs_no.is_none() {
            return Err(Error::field("hs_no", "an opened account has a number"));
        }
        if self.opened_saudi && !self.opened {
            return Err(Error::field("opened_saudi", "the account is not opened"));
        }
        Ok(())
    }
}

/// What a member does next, by account-opening status (specification §4).
pub fn action_of(status: i32) -> &'static str {
    match status {
        -1 => "signUp",
        0 | 1 => "openAccount",
        5 => "modifyAccountInfo",
        2 | 3 => "reviewAccount",
        // Nothing is left to do on the site: the rest is in the app.
        _ => "download",
    }
}

/// An email that was told with an account; empty is none.
///
/// Errors: `email`.
pub(crate) fn told_email(text: &str) -> Result<Option<Email>> {
    if text.is_empty() {
        return Ok(None);
    }
    let email = Email::parse(text).ok_or_else(|| Error::field("email", "is not an email"))?;
    Ok(Some(email))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_those_of_the_specification() {
        for (status, action) in [
            (-1, "signUp"),
            (0, "openAccount"),
            (1, "openAccount"),
            (2, "reviewAccount"),
            (3, "reviewAccount"),
            (5, "modifyAccountInfo"),
            (4, "download"),
            (6, "download"),
            (-2, "download"),
        ] {
            assert_eq!(action_of(status), action, "{status}");
        }
    }

    #[test]
    fn accounts_that_hold_together() {
        let number = || Some("SA-100".to_owned());
        let standing = |status, opened, opened_saudi, hs_no| Standing {
            status,
            opened,
            opened_saudi,
            hs_no,
            is_obtain_sns: false,
        };
        assert!(Standing::default().check().is_ok());
        assert!(standing(4, true, true, number()).check().is_ok());
        for wrong in [
            standing(-1, false, false, None),
            standing(100, false, false, None),
            standing(4, true, false, None),
            standing(4, false, true, number()),
            standing(4, true, false, Some("a b".to_owned())),
            standing(4, true, false, Some("1".repeat(33))),
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
