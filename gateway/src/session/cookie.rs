//! Signed cookies (docs/sessions.md): the session cookie, which is identity's token and its MAC, and other `HttpOnly`
//! cookies.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderValue;
use sahm_chassis::settings::{Environment, Secret};
use sha2::Sha256;

/// Lifetime of the session cookie: 30 days, as long as identity keeps a session at most.
const SESSION_MAX_AGE: &str = "; Max-Age=2592000";

/// Name of the session cookie in `dev`, where there may be no TLS.
const DEV_SESSION_COOKIE: &str = "sahm_session";

/// Name of the session cookie elsewhere. Browsers accept the prefix `__Host-` over TLS only, from this host.
const SESSION_COOKIE: &str = "__Host-sahm_session";

/// Whether a cookie of this name may hold a session in any environment. Browsers compare cookie name prefixes
/// case-insensitively.
pub(crate) fn is_session_cookie(name: &[u8]) -> bool {
    [DEV_SESSION_COOKIE, SESSION_COOKIE]
        .iter()
        .any(|session| name.eq_ignore_ascii_case(session.as_bytes()))
}

/// Length of a session token, in characters: at least 256 random bits in base64url.
const TOKEN_LENGTH: std::ops::RangeInclusive<usize> = 43..=128;

/// Signs and verifies cookies. The first key signs, every key verifies.
pub(crate) struct SignedCookies {
    keys: Vec<Hmac<Sha256>>,
    name: &'static str,
    secure: &'static str,
}

impl SignedCookies {
    /// Without keys, nothing is signed and no cookie verifies.
    pub(super) fn new(keys: &[Secret<String>], environment: Environment) -> Self {
        let keys = keys.iter().filter_map(|key| Hmac::new_from_slice(key.expose().as_bytes()).ok());
        let (name, secure) = match environment.is_dev() {
            true => (DEV_SESSION_COOKIE, ""),
            false => (SESSION_COOKIE, "; Secure"),
        };
        Self { keys: keys.collect(), name, secure }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The session token in a cookie value; `None` unless one of the keys signed it.
    pub(super) fn session_token<'a>(&self, value: &'a str) -> Option<&'a str> {
        let (token, mac) = value.split_once('.')?;
        (is_token(token) && self.is_signed(token, mac)).then_some(token)
    }

    /// `Set-Cookie` of a new session; `None` if the token is malformed.
    pub(crate) fn begin_session(&self, token: &str) -> Option<HeaderValue> {
        let mac = self.mac(token).filter(|_| is_token(token))?;
        self.header(self.name, &format!("{token}.{mac}"), SESSION_MAX_AGE)
    }

    /// `Set-Cookie` of a session that has ended.
    pub(crate) fn end_session(&self) -> Option<HeaderValue> {
        self.header(self.name, "", "; Max-Age=0")
    }

    /// `Set-Cookie` of another cookie with a lifetime of `age` seconds, signed with its name.
    pub(crate) fn sign(&self, name: &str, value: &str, age: u32) -> Option<HeaderValue> {
        let mac = self.named_mac(name, value)?;
        self.header(name, &format!("{value}.{mac}"), &format!("; Max-Age={age}"))
    }

    /// The value of another cookie; `None` unless one of the keys signed it with this name.
    pub(crate) fn verify<'a>(&self, name: &str, text: &'a str) -> Option<&'a str> {
        let (value, mac) = text.split_once('.')?;
        self.is_signed(&format!("{name}={value}"), mac).then_some(value)
    }

    /// The MAC of a value, in base64url. The name is part of it, so that a value signed for one cookie does not verify
    /// as another.
    pub(crate) fn named_mac(&self, name: &str, value: &str) -> Option<String> {
        self.mac(&format!("{name}={value}"))
    }

    fn mac(&self, text: &str) -> Option<String> {
        let mac = self.keys.first()?.clone().chain_update(text).finalize();
        Some(URL_SAFE_NO_PAD.encode(mac.into_bytes()))
    }

    /// Whether one of the keys signed a text; compares in constant time.
    fn is_signed(&self, text: &str, mac: &str) -> bool {
        let Ok(mac) = URL_SAFE_NO_PAD.decode(mac) else { return false };
        let signed = |key: &Hmac<Sha256>| key.clone().chain_update(text).verify_slice(&mac).is_ok();
        self.keys.iter().any(signed)
    }

    fn header(&self, name: &str, value: &str, age: &str) -> Option<HeaderValue> {
        let secure = self.secure;
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}{secure}");
        let mut header = HeaderValue::try_from(text).ok()?;
        header.set_sensitive(true);
        Some(header)
    }
}

fn is_token(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    TOKEN_LENGTH.contains(&text.len()) && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE";

    fn cookies(keys: &[&str], environment: Environment) -> SignedCookies {
        let keys = keys.iter().map(|key| Secret::new((*key).to_owned())).collect::<Vec<_>>();
        SignedCookies::new(&keys, environment)
    }

    fn value(header: &HeaderValue) -> String {
        let text = header.to_str().unwrap();
        text.split_once('=').unwrap().1.split(';').next().unwrap().to_owned()
    }

    #[test]
    fn signed_cookie_verifies_only_with_its_name_and_keys() {
        let (old, new) = (["b".repeat(32)], ["a".repeat(32), "b".repeat(32)]);
        let old = cookies(&[&old[0]], Environment::Dev);
        let rotated = cookies(&[&new[0], &new[1]], Environment::Dev);
        let set = value(&old.sign("vid", "one", 60).unwrap());
        for signed in [&old, &rotated] {
            assert_eq!(signed.verify("vid", &set), Some("one"), "{set}");
        }
        let mac = set.split_once('.').unwrap().1;
        for (name, text) in [
            ("other", set.clone()),
            ("vid", format!("two.{mac}")),
            ("vid", "one".to_owned()),
            ("vid", "one.".to_owned()),
            ("vid", format!("one.{}", &mac[1..])),
        ] {
            assert_eq!(old.verify(name, &text), None, "{name}={text}");
        }
        assert_eq!(cookies(&[&new[0]], Environment::Dev).verify("vid", &set), None);
    }

    #[test]
    fn cookies_signed_with_an_old_key_verify_after_rotation() {
        let (old, new) = ("a".repeat(32), "b".repeat(32));
        let before = cookies(&[&old], Environment::Dev);
        let between = cookies(&[&new, &old], Environment::Dev);
        let after = cookies(&[&new], Environment::Dev);
        let first = value(&before.begin_session(TOKEN).unwrap());
        let second = value(&between.begin_session(TOKEN).unwrap());
        assert_eq!(between.session_token(&first), Some(TOKEN));
        assert_eq!(before.session_token(&second), None);
        assert_eq!(
            (after.session_token(&first), after.session_token(&second)),
            (None, Some(TOKEN))
        );
    }

    #[test]
    fn altered_session_cookie_is_rejected() {
        let cookies = cookies(&[&"k".repeat(32)], Environment::Dev);
        let value = value(&cookies.begin_session(TOKEN).unwrap());
        assert_eq!(cookies.session_token(&value), Some(TOKEN));
        for at in 0..value.len() {
            let mut bytes = value.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(cookies.session_token(std::str::from_utf8(&bytes).unwrap()), None, "{at}");
        }
        for wrong in ["", ".", TOKEN, &format!("{TOKEN}."), &value[..value.len() - 1]] {
            assert_eq!(cookies.session_token(wrong), None, "{wrong}");
        }
        for token in ["", "short", &"a".repeat(129), &"é".repeat(43), &format!("{TOKEN}\r\n")] {
            assert!(cookies.begin_session(token).is_none(), "{token}");
        }
    }

    #[test]
    fn cookie_attributes_follow_the_environment() {
        let key = "k".repeat(32);
        let dev = cookies(&[&key], Environment::Dev);
        let live = cookies(&[&key], Environment::Prod);
        let text = |header: Option<HeaderValue>| header.unwrap().to_str().unwrap().to_owned();
        let (set, cleared) = (text(dev.begin_session(TOKEN)), text(live.end_session()));
        assert!(set.starts_with("sahm_session=") && !set.contains("Secure"), "{set}");
        assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000"), "{set}");
        assert_eq!(
            cleared,
            "__Host-sahm_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure"
        );
        assert!(cookies(&[], Environment::Prod).begin_session(TOKEN).is_none());
    }

    proptest! {
        #[test]
        fn unsigned_text_has_no_session_token(text in ".{0,160}|[A-Za-z0-9_-]{43}\\.[A-Za-z0-9_-]{0,43}") {
            let cookies = cookies(&[&"k".repeat(32)], Environment::Dev);
            prop_assert_eq!(cookies.session_token(&text), None);
        }
    }
}
