//! Verification codes sent to telephones.

use hmac::{Hmac, KeyInit, Mac};
use sahm_chassis::{
    error::{Error, Result},
    settings::Secret,
};
use sha2::Sha256;
use strum::FromRepr;

use super::{Phone, phone::digits_of};

/// Lifetime of a code in seconds.
pub const CODE_LIFETIME_SECONDS: u32 = 300;
/// Maximum number of attempts per code.
pub const MAX_CODE_ATTEMPTS: i32 = 5;
/// Seconds after which another code may be requested.
pub const RESEND_DELAY_SECONDS: u32 = 60;

const CODE_DIGITS: usize = 6;

/// The purpose of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, FromRepr)]
#[repr(i32)]
pub enum Scene {
    /// Logging in and signing up by telephone.
    Verification = 1,
    PasswordLogin,
    NewsTranslation,
}

impl Scene {
    /// The number of the scene, 1 to 3.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// # Errors
    /// Names the field `scene`.
    pub fn parse(number: i32) -> Result<Scene> {
        Scene::from_repr(number).ok_or_else(|| Error::field("scene", "must be 1, 2 or 3"))
    }
}

/// Six digits.
#[derive(Clone, PartialEq, Eq)]
pub struct AuthCode(String);

impl AuthCode {
    /// Creates a code from a number that is uniformly distributed below 1,000,000.
    pub fn of(number: u32) -> AuthCode {
        AuthCode(format!("{:06}", number % 1_000_000))
    }

    /// Parses user input.
    ///
    /// # Errors
    /// Names the field `code`.
    pub fn parse(text: &str) -> Result<AuthCode> {
        let digits = digits_of(text).filter(|digits| digits.len() == CODE_DIGITS);
        digits.map(AuthCode).ok_or_else(|| Error::field("code", "must be 6 digits"))
    }

    /// The digits, for the message to the member.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

/// Computes keyed hashes of codes: without the key the million codes cannot be tried offline.
#[derive(Clone)]
pub struct CodeHasher {
    keys: Vec<Hmac<Sha256>>,
}

impl CodeHasher {
    /// The first key hashes, and all keys verify.
    pub fn new(keys: &[Secret<String>]) -> CodeHasher {
        let keys = keys.iter().filter_map(|key| Hmac::new_from_slice(key.expose().as_bytes()).ok());
        CodeHasher { keys: keys.collect() }
    }

    /// The hash of a code for a number and a scene; `nonce` is unique per sent code.
    ///
    /// # Errors
    /// There is no key.
    pub fn hash(
        &self,
        phone: &Phone,
        scene: Scene,
        nonce: &str,
        code: &AuthCode,
    ) -> Result<Vec<u8>> {
        let key = self.keys.first().cloned();
        let key = key.ok_or_else(|| Error::internal("no key to hash codes with"))?;
        Ok(mac_of(key, phone, scene, nonce, code).finalize().into_bytes().to_vec())
    }

    /// Whether the code matches the hash.
    pub fn verify(
        &self,
        phone: &Phone,
        scene: Scene,
        nonce: &str,
        code: &AuthCode,
        hash: &[u8],
    ) -> bool {
        let is_match = |key: &Hmac<Sha256>| {
            mac_of(key.clone(), phone, scene, nonce, code).verify_slice(hash).is_ok()
        };
        self.keys.iter().any(is_match)
    }
}

/// The message authentication code of a code, before it is finalised.
fn mac_of(
    mut key: Hmac<Sha256>,
    phone: &Phone,
    scene: Scene,
    nonce: &str,
    code: &AuthCode,
) -> Hmac<Sha256> {
    // Domain separation, because the key also signs cookies. No part can contain the separator.
    let scene = scene.number();
    let (tel_code, national) = (phone.tel_code(), phone.national());
    let text = format!("auth code|{tel_code}|{national}|{scene}|{nonce}|{}", code.digits());
    key.update(text.as_bytes());
    key
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn hasher(keys: &[&str]) -> CodeHasher {
        let keys: Vec<_> = keys.iter().map(|key| Secret::new(key.repeat(32))).collect();
        CodeHasher::new(&keys)
    }

    #[test]
    fn code_has_six_digits_of_any_script() {
        for (text, digits) in [("012345", "012345"), ("٠١٢٣٤٥", "012345"), ("123 456", "123456")]
        {
            assert_eq!(AuthCode::parse(text).unwrap().digits(), digits);
        }
        for invalid in ["", "12345", "1234567", "12345a", "１２３４５６"] {
            assert_eq!(
                AuthCode::parse(invalid).err().unwrap().fields()[0].field,
                "code",
                "{invalid}"
            );
        }
        assert_eq!(AuthCode::of(42).digits(), "000042");
        for (number, fits) in [(0, false), (1, true), (3, true), (4, false), (-1, false)] {
            assert_eq!(Scene::parse(number).is_ok(), fits, "{number}");
        }
    }

    #[test]
    fn hash_depends_on_every_input() {
        let phone = Phone::parse("966", "512345678").unwrap();
        let other = Phone::parse("966", "512345679").unwrap();
        let (code, scene) = (AuthCode::of(123_456), Scene::Verification);
        let ours = hasher(&["a"]);
        let hash = ours.hash(&phone, scene, "n", &code).unwrap();
        assert!(ours.verify(&phone, scene, "n", &code, &hash));
        assert!(hasher(&["b", "a"]).verify(&phone, scene, "n", &code, &hash));
        assert!(!hasher(&["b"]).verify(&phone, scene, "n", &code, &hash));
        assert!(!ours.verify(&other, scene, "n", &code, &hash));
        assert!(!ours.verify(&phone, Scene::PasswordLogin, "n", &code, &hash));
        assert!(!ours.verify(&phone, scene, "m", &code, &hash));
        assert!(!ours.verify(&phone, scene, "n", &AuthCode::of(123_457), &hash));
        assert!(hasher(&[]).hash(&phone, scene, "n", &code).is_err());
    }
}
