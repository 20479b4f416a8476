//! Passwords: the rule, and argon2id.

use std::sync::OnceLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc},
};
use sahm_chassis::error::{Error, Result};

use super::AuthCode;

/// The most bytes that are looked at when a password is tried: what is longer is none.
const MAX_TRIED_BYTES: usize = 128;

/// A password that may be set, or one that is tried. Never printed.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// A password to be set: 8 to 20 characters of ASCII without spaces, among them upper and
    /// lower letters, digits and symbols.
    ///
    /// Errors: `password`.
    pub fn to_set(text: &str) -> Result<Password> {
        let wrong = |why: &str| Err(Error::field("password", why));
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return wrong("must be letters, digits and symbols without spaces");
        }
        if !(8..=20).contains(&text.len()) {
            return wrong("must be 8 to 20 characters");
        }
        let has = |kind: fn(&u8) -> bool| text.as_bytes().iter().any(kind);
        let whole = has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && has(u8::is_ascii_digit)
            && has(u8::is_ascii_punctuation);
        if !whole {
            return wrong("must have upper and lower letters, numbers and symbols");
        }
        Ok(Password(text.to_owned()))
    }

    /// A password that is tried: whatever it is.
    ///
    /// Errors: `field` when it is empty or far too long.
    pub fn tried(field: &str, text: &str) -> Result<Password> {
        if text.is_empty() || text.len() > MAX_TRIED_BYTES {
            return Err(Error::field(field, "must be 1 to 128 bytes"));
        }
        Ok(Password(text.to_owned()))
    }

    /// Hashes it. Takes tens of milliseconds of one core.
    ///
    /// Errors: for the log.
    pub fn hash(&self) -> Result<PasswordHash> {
        let hash: phc::PasswordHash = Argon2::default()
            .hash_password(self.0.as_bytes())
            .map_err(|error| Error::internal(format!("argon2: {error}")))?;
        Ok(PasswordHash(hash.to_string()))
    }

    /// Whether it is the password of a hash; without a hash it never is, and takes as long.
    pub fn is_that_of(&self, hash: Option<&PasswordHash>) -> bool {
        let known = hash.and_then(|hash| phc::PasswordHash::new(&hash.0).ok());
        let is_known = known.is_some();
        let Some(judged) = known.or_else(nobodys) else { return false };
        let fits = Argon2::default().verify_password(self.0.as_bytes(), &judged).is_ok();
        fits && is_known
    }
}

/// How a member who sets a password proves to be that member.
#[derive(Clone)]
pub enum PasswordProof {
    /// The password that is replaced.
    OldPassword(Password),
    /// A code that was sent to the member's number.
    Code(AuthCode),
    None,
}

impl PasswordProof {
    /// Reads what was given; an old password goes before a code.
    ///
    /// # Errors
    /// Names `old_password` or `code` where the one that was given is malformed.
    pub fn parse(old_password: &str, code: &str) -> Result<PasswordProof> {
        match (old_password, code) {
            ("", "") => Ok(PasswordProof::None),
            ("", code) => AuthCode::parse(code).map(PasswordProof::Code),
            // Too long for a password: as wrong as any other.
            (old, _) => Password::tried("old_password", old)
                .map(PasswordProof::OldPassword)
                .map_err(|_| PasswordProof::wrong_old_password()),
        }
    }

    /// The error where a proof is needed and none was given.
    pub fn missing() -> Error {
        let why = "the old password, or a code sent to your number, is needed";
        Error::field("old_password", why)
    }

    /// The error about another password than the one that is replaced.
    pub fn wrong_old_password() -> Error {
        Error::rejected("old_password", "is not the old password")
    }

    /// The error about a code that is not the one that was sent.
    pub fn wrong_code() -> Error {
        Error::rejected("code", "is wrong or no longer valid")
    }
}

/// What is stored of a password: a PHC string of argon2id.
#[derive(Clone)]
pub struct PasswordHash(pub(crate) String);

/// A hash that nobody has the password of, with the parameters of every other.
fn nobodys() -> Option<phc::PasswordHash> {
    static HASH: OnceLock<Option<phc::PasswordHash>> = OnceLock::new();
    let made = || Argon2::default().hash_password(&rand::random::<[u8; 32]>()).ok();
    HASH.get_or_init(made).clone()
}

/// Makes what the first try of an unknown member would else be slower by.
pub(crate) fn warm_up() {
    nobodys();
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_rule() {
        for fits in ["Abcdef1!", "aB3$aB3$aB3$aB3$aB3$", "~~~Zz9~~"] {
            assert!(Password::to_set(fits).is_ok(), "{fits}");
        }
        for wrong in [
            "",
            "Abcde1!",
            "aB3$aB3$aB3$aB3$aB3$a",
            "abcdef1!",
            "ABCDEF1!",
            "Abcdefg!",
            "Abcdefg1",
            "Abc def1!",
            "Abcdéf1!",
            "Abcdef1!\n",
        ] {
            assert!(Password::to_set(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", &"a".repeat(129)] {
            assert!(Password::tried("password", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hashes_are_argon2id_and_differ() {
        let password = Password::to_set("Abcdef1!").unwrap();
        let (one, two) = (password.hash().unwrap(), password.hash().unwrap());
        assert!(one.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", one.0);
        assert_ne!(one.0, two.0);
        assert!(password.is_that_of(Some(&one)) && password.is_that_of(Some(&two)));
        assert!(!Password::tried("password", "Abcdef1?").unwrap().is_that_of(Some(&one)));
        assert!(!password.is_that_of(None));
        assert!(!password.is_that_of(Some(&PasswordHash("broken".into()))));
    }

    proptest! {
        #[test]
        fn what_may_be_set_has_all_four_kinds(text in "[ -~]{0,24}") {
            if Password::to_set(&text).is_ok() {
                prop_assert!((8..=20).contains(&text.len()));
                prop_assert!(text.chars().any(|c| c.is_ascii_uppercase()));
                prop_assert!(text.chars().any(|c| c.is_ascii_lowercase()));
                prop_assert!(text.chars().any(|c| c.is_ascii_digit()));
                prop_assert!(text.chars().any(|c| !c.is_ascii_alphanumeric()));
                prop_assert!(!text.contains(' '));
            }
        }
    }
}
