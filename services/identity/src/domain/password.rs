//! Passwords: the rule, and argon2id.

use std::sync::OnceLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc},
};
use sahm_chassis::error::{Error, Result};

use super::AuthCode;

/// Maximum length of a password attempt in bytes; longer ones are rejected without hashing.
const MAX_TRIED_BYTES: usize = 128;

/// A password to set or to verify. Never printed.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// A password to set: 8 to 20 characters of ASCII without spaces, with upper and lower case
    /// letters, digits and symbols.
    ///
    /// # Errors
    /// Names the field `password`.
    pub fn to_set(text: &str) -> Result<Password> {
        let invalid = |why: &str| Err(Error::field("password", why));
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return invalid("must be letters, digits and symbols without spaces");
        }
        if !(8..=20).contains(&text.len()) {
            return invalid("must be 8 to 20 characters");
        }
        let has = |kind: fn(&u8) -> bool| text.as_bytes().iter().any(kind);
        let whole = has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && has(u8::is_ascii_digit)
            && has(u8::is_ascii_punctuation);
        if !whole {
            return invalid("must have upper and lower letters, numbers and symbols");
        }
        Ok(Password(text.to_owned()))
    }

    /// A password to verify, without rules.
    ///
    /// # Errors
    /// Names `field` if it is empty or far too long.
    pub fn tried(field: &str, text: &str) -> Result<Password> {
        if text.is_empty() || text.len() > MAX_TRIED_BYTES {
            return Err(Error::field(field, "must be 1 to 128 bytes"));
        }
        Ok(Password(text.to_owned()))
    }

    /// Hashes the password. Takes tens of milliseconds of one core.
    ///
    /// # Errors
    /// Hashing fails; the error is for the log.
    pub fn hash(&self) -> Result<PasswordHash> {
        let hash: phc::PasswordHash = Argon2::default()
            .hash_password(self.0.as_bytes())
            .map_err(|error| Error::internal(format!("argon2: {error}")))?;
        Ok(PasswordHash(hash.to_string()))
    }

    /// Whether the password matches a hash. Without a hash it returns false after the same time.
    pub fn matches_hash(&self, hash: Option<&PasswordHash>) -> bool {
        let known = hash.and_then(|hash| phc::PasswordHash::new(&hash.0).ok());
        let is_known = known.is_some();
        let Some(judged) = known.or_else(dummy_hash) else { return false };
        let fits = Argon2::default().verify_password(self.0.as_bytes(), &judged).is_ok();
        fits && is_known
    }
}

/// Proof that the caller who sets a password is the member.
#[derive(Clone)]
pub enum PasswordProof {
    /// The password to replace.
    OldPassword(Password),
    /// A code sent to the member's number.
    Code(AuthCode),
    None,
}

impl PasswordProof {
    /// Parses a request; an old password takes precedence over a code.
    ///
    /// # Errors
    /// Names `old_password` or `code` if the given one is malformed.
    pub fn parse(old_password: &str, code: &str) -> Result<PasswordProof> {
        match (old_password, code) {
            ("", "") => Ok(PasswordProof::None),
            ("", code) => AuthCode::parse(code).map(PasswordProof::Code),
            // Too long for a password: reported like any wrong one.
            (old, _) => Password::tried("old_password", old)
                .map(PasswordProof::OldPassword)
                .map_err(|_| PasswordProof::wrong_old_password()),
        }
    }

    /// The error if a required proof is missing.
    pub fn missing() -> Error {
        let why = "the old password, or a code sent to your number, is required";
        Error::field("old_password", why)
    }

    /// The error for a wrong old password.
    pub fn wrong_old_password() -> Error {
        Error::rejected("old_password", "is not the old password")
    }

    /// The error for a wrong code.
    pub fn wrong_code() -> Error {
        Error::rejected("code", "is wrong or no longer valid")
    }
}

/// The stored form of a password: a PHC string of argon2id.
#[derive(Clone)]
pub struct PasswordHash(pub(crate) String);

/// A hash without a known password, with the same parameters as every other hash.
fn dummy_hash() -> Option<phc::PasswordHash> {
    static HASH: OnceLock<Option<phc::PasswordHash>> = OnceLock::new();
    let new_hash = || Argon2::default().hash_password(&rand::random::<[u8; 32]>()).ok();
    HASH.get_or_init(new_hash).clone()
}

/// Creates that hash in advance, because the first attempt for an unknown member would otherwise be
/// slower.
pub(crate) fn warm_up() {
    dummy_hash();
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn password_rule_is_enforced() {
        for fits in ["Abcdef1!", "aB3$aB3$aB3$aB3$aB3$", "~~~Zz9~~"] {
            assert!(Password::to_set(fits).is_ok(), "{fits}");
        }
        for invalid in [
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
            assert!(Password::to_set(invalid).is_err(), "{invalid}");
        }
        for invalid in ["", &"a".repeat(129)] {
            assert!(Password::tried("password", invalid).is_err(), "{invalid}");
        }
        assert!(Password::tried("password", &"a".repeat(128)).is_ok());
    }

    #[test]
    fn hashes_are_salted_argon2id() {
        let password = Password::to_set("Abcdef1!").unwrap();
        let (one, two) = (password.hash().unwrap(), password.hash().unwrap());
        assert!(one.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", one.0);
        assert_ne!(one.0, two.0);
        assert!(password.matches_hash(Some(&one)) && password.matches_hash(Some(&two)));
        assert!(!Password::tried("password", "Abcdef1?").unwrap().matches_hash(Some(&one)));
        assert!(!password.matches_hash(None));
        assert!(!password.matches_hash(Some(&PasswordHash("broken".into()))));
    }

    proptest! {
        #[test]
        fn accepted_password_has_all_four_kinds_of_characters(text in "[ -~]{0,24}") {
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
