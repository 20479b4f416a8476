//! Members and the states of their accounts.

use sahm_chassis::error::{Error, Result};

use super::{Email, Phone, both_valid};

/// Maximum length of an account's number in bytes.
const MAX_HS_NO_BYTES: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// From 1; also `mid`.
    pub id: u64,
    /// The telephone number of the sign-up.
    pub phone: Phone,
    pub has_email: bool,
    pub has_password: bool,
    pub account_status: AccountStatus,
    /// The invitation code given at sign-up; empty for none.
    pub invite_code: String,
    /// Epoch seconds.
    pub created_at: u32,
}

/// The state of an account; a member who has just signed up has none yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountStatus {
    pub status: i32,
    pub opened: bool,
    /// Whether it trades Saudi stocks too.
    pub opened_saudi: bool,
    pub hs_no: Option<String>,
    /// Whether the benefits of social sign-up were granted.
    pub is_obtain_sns: bool,
}

impl AccountStatus {
    /// Validates that the parts of an account are consistent.
    ///
    /// # Errors
    /// Names each invalid field of `status`, `hs_no` and `opened_saudi`.
    pub fn check(&self) -> Result<()> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let hs_no = match &self.hs_no {
            Some(hs_no) if hs_no.len() > MAX_HS_NO_BYTES || !hs_no.bytes().all(fits) => {
                Err(Error::field("hs_no", "is at most 32 letters, digits and hyphens"))
            }
            None if self.opened => Err(Error::field("hs_no", "an opened account has a number")),
            _ => Ok(()),
        };
        let status = (-1..=99).contains(&self.status);
        let status = status.then_some(()).ok_or_else(|| Error::field("status", "must be -1 to 99"));
        let saudi = (!self.opened_saudi || self.opened).then_some(());
        let saudi = saudi.ok_or_else(|| Error::field("opened_saudi", "the account is not opened"));
        both_valid(both_valid(status, hs_no), saudi).map(|_| ())
    }
}

/// A change to an account: new values, of which only those of the named fields apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountChange {
    account_status: AccountStatus,
    email: Option<Email>,
    fields: Vec<&'static str>,
}

impl AccountChange {
    /// The fields that an update mask can name.
    const CHANGEABLE_FIELDS: [&str; 6] =
        ["status", "opened", "opened_saudi", "hs_no", "is_obtain_sns", "email"];

    /// Replaces the whole account; the email changes if one is given.
    pub fn replace(account_status: AccountStatus, email: Option<Email>) -> AccountChange {
        let mut fields = Self::CHANGEABLE_FIELDS.to_vec();
        fields.retain(|field| *field != "email" || email.is_some());
        AccountChange { account_status, email, fields }
    }

    /// Parses a request: `mask` names the fields that change. Without a mask, an email with an
    /// empty account changes only the email; otherwise the account is replaced.
    ///
    /// # Errors
    /// Names `email` if it is malformed, and `update_mask` for an unknown path.
    pub fn parse(
        account_status: AccountStatus,
        email: &str,
        mask: Option<&[String]>,
    ) -> Result<Self> {
        let email = match email {
            "" => Ok(None),
            text => match Email::parse(text) {
                Some(email) => Ok(Some(email)),
                None => Err(Error::field("email", "is not an email")),
            },
        };
        let known = |path: &String| path == "*" || Self::CHANGEABLE_FIELDS.contains(&path.as_str());
        let mask_valid = match mask.and_then(|mask| mask.iter().find(|path| !known(path))) {
            Some(_) => {
                let why = format!("must name {} or *", Self::CHANGEABLE_FIELDS.join(", "));
                Err(Error::field("update_mask", why))
            }
            None => Ok(()),
        };
        let (email, ()) = both_valid(email, mask_valid)?;
        let Some(mask) = mask else {
            return Ok(match email {
                Some(_) if account_status == AccountStatus::default() => {
                    AccountChange { account_status, email, fields: vec!["email"] }
                }
                email => AccountChange::replace(account_status, email),
            });
        };
        let is_named = |field: &&str| mask.iter().any(|path| path == "*" || path == field);
        let fields = Self::CHANGEABLE_FIELDS.into_iter().filter(is_named).collect();
        Ok(AccountChange { account_status, email, fields })
    }

    /// The new email if it changes; `Some(None)` removes it.
    pub fn email(&self) -> Option<Option<&Email>> {
        self.fields.contains(&"email").then_some(self.email.as_ref())
    }

    /// The account after the change.
    ///
    /// # Errors
    /// Same as [`AccountStatus::check`].
    pub fn apply(&self, mut account_status: AccountStatus) -> Result<AccountStatus> {
        let new = &self.account_status;
        for field in &self.fields {
            match *field {
                "status" => account_status.status = new.status,
                "opened" => account_status.opened = new.opened,
                "opened_saudi" => account_status.opened_saudi = new.opened_saudi,
                "hs_no" => account_status.hs_no.clone_from(&new.hs_no),
                "is_obtain_sns" => account_status.is_obtain_sns = new.is_obtain_sns,
                _ => {}
            }
        }
        account_status.check()?;
        Ok(account_status)
    }
}

/// The next action of a member, by status of the account opening.
pub fn action_of(status: i32) -> &'static str {
    match status {
        -1 => "signUp",
        0 | 1 => "openAccount",
        5 => "modifyAccountInfo",
        2 | 3 => "reviewAccount",
        // The remaining steps are in the app.
        _ => "download",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn status_determines_the_next_action() {
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
    fn inconsistent_accounts_are_rejected() {
        let number = || Some("SA-100".to_owned());
        let account_status = |status, opened, opened_saudi, hs_no| AccountStatus {
            status,
            opened,
            opened_saudi,
            hs_no,
            is_obtain_sns: false,
        };
        assert!(AccountStatus::default().check().is_ok());
        assert!(account_status(4, true, true, number()).check().is_ok());
        assert!(account_status(-1, false, false, None).check().is_ok(), "the state before sign-up");
        let longest = Some("1".repeat(32));
        assert!(account_status(99, true, false, longest).check().is_ok(), "the upper bounds");
        for invalid in [
            account_status(-2, false, false, None),
            account_status(100, false, false, None),
            account_status(4, true, false, None),
            account_status(4, false, true, number()),
            account_status(4, true, false, Some("a b".to_owned())),
            account_status(4, true, false, Some("1".repeat(33))),
        ] {
            assert!(invalid.check().is_err(), "{invalid:?}");
        }
        let error = account_status(100, false, true, Some("a b".to_owned())).check().unwrap_err();
        let names: Vec<_> = error.fields().iter().map(|field| &*field.field).collect();
        assert_eq!(names, ["status", "hs_no", "opened_saudi"]);
    }

    #[test]
    fn mask_names_the_fields_that_change() {
        let requested = || AccountStatus {
            status: 5,
            opened: true,
            opened_saudi: true,
            hs_no: Some("SA-1".to_owned()),
            is_obtain_sns: true,
        };
        let whole = AccountChange::CHANGEABLE_FIELDS;
        for (mask, fields) in [
            (&[][..], &[][..]),
            (&["status"], &["status"]),
            (&["opened"], &["opened"]),
            (&["opened_saudi"], &["opened_saudi"]),
            (&["hs_no"], &["hs_no"]),
            (&["is_obtain_sns"], &["is_obtain_sns"]),
            (&["email", "status"], &["status", "email"]),
            (&["status", "*"], &whole),
        ] {
            let mask: Vec<String> = mask.iter().map(|&path| path.to_owned()).collect();
            let parsed = AccountChange::parse(requested(), "a@b.co", Some(&mask)).unwrap();
            assert_eq!(parsed.fields, fields, "{mask:?}");
        }
        let parse = |status| AccountChange::parse(status, "a@b.co", None).unwrap();
        assert_eq!(parse(requested()).fields, whole);
        assert_eq!(parse(AccountStatus::default()).fields, ["email"]);
    }

    #[test]
    fn only_named_fields_change() {
        let old =
            || AccountStatus { opened: true, hs_no: Some("SA-1".into()), ..Default::default() };
        let new = || AccountStatus {
            status: 5,
            opened: true,
            opened_saudi: true,
            hs_no: Some("SA-2".to_owned()),
            is_obtain_sns: true,
        };
        for (mask, changed) in [
            ("status", AccountStatus { status: 5, ..old() }),
            ("opened", old()),
            ("opened_saudi", AccountStatus { opened_saudi: true, ..old() }),
            ("hs_no", AccountStatus { hs_no: new().hs_no, ..old() }),
            ("is_obtain_sns", AccountStatus { is_obtain_sns: true, ..old() }),
            ("email", old()),
            ("*", new()),
        ] {
            let change = AccountChange::parse(new(), "a@b.co", Some(&[mask.to_owned()])).unwrap();
            assert_eq!(change.apply(old()).unwrap(), changed, "{mask}");
            assert_eq!(change.email().is_some(), matches!(mask, "email" | "*"), "{mask}");
        }
    }

    #[test]
    fn account_change_reports_invalid_email_and_path_together() {
        let mask = ["status".to_owned(), "phone".to_owned()];
        let error = AccountChange::parse(AccountStatus::default(), "x", Some(&mask)).unwrap_err();
        let names: Vec<_> = error.fields().iter().map(|field| &*field.field).collect();
        assert_eq!(names, ["email", "update_mask"]);
    }
}
