//! Accounts that members log in with.

use sahm_chassis::error::{Error, Result};

use super::{Email, Phone};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Account {
    Phone(Phone),
    Email(Email),
}

impl Account {
    /// Parses user input: with `@` an email; with `+` or `00`, or with 966 before a Saudi mobile, a
    /// full telephone number; otherwise a national number of `tel_code`, which defaults to 966.
    ///
    /// # Errors
    /// Names the field `account` or `tel_code`.
    pub fn parse(account: &str, tel_code: &str) -> Result<Account> {
        let invalid = || Error::field("account", "is neither a telephone number nor an email");
        if account.contains('@') {
            return Email::parse(account).map(Account::Email).ok_or_else(invalid);
        }
        if let Some(phone) = Phone::international(account) {
            return Ok(Account::Phone(phone));
        }
        let code = if tel_code.trim().is_empty() { "966" } else { tel_code };
        let national = account.trim();
        let phone = Phone::parse(code, national).or_else(|error| {
            let with_code = Phone::international(&format!("+{national}"));
            with_code.filter(|phone| tel_code.is_empty() && phone.is_saudi()).ok_or(error)
        });
        phone.map(Account::Phone).map_err(|error| match error.fields() {
            [field, ..] if field.field == "tel_code" => error,
            _ => invalid(),
        })
    }

    /// The key under which failed logins of an unknown account are counted.
    pub fn key(&self) -> String {
        match self {
            Account::Phone(phone) => phone.e164(),
            Account::Email(email) => email.as_str().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn account_is_parsed_as_email_or_phone() {
        for (account, code, key) in [
            ("512345678", "", "+966512345678"),
            ("0512345678", "", "+966512345678"),
            ("+966 51 234 5678", "", "+966512345678"),
            ("00966512345678", "", "+966512345678"),
            ("966512345678", "", "+966512345678"),
            ("٠٥١٢٣٤٥٦٧٨", "", "+966512345678"),
            ("2025550134", "1", "+12025550134"),
            ("+12025550134", "966", "+12025550134"),
            ("A@b.co", "", "a@b.co"),
        ] {
            assert_eq!(Account::parse(account, code).unwrap().key(), key, "{account}");
        }
        for (account, code, field) in [
            ("", "", "account"),
            ("a@b", "", "account"),
            ("412345678", "", "account"),
            ("admin", "", "account"),
            ("00512345672", "", "account"),
            ("512345678", "x", "tel_code"),
        ] {
            let error = Account::parse(account, code).expect_err(account);
            assert_eq!(error.fields()[0].field, field, "{account}");
        }
    }
}
