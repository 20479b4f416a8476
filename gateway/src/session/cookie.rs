//! The session cookie (docs/sessions.md): identity's token with a MAC behind it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderValue;
use sahm_chassis::settings::{Environment, Secret};
use sha2::Sha256;

/// How long the cookie is kept, in seconds: 30 days, as long as identity lets a session live.
const AGE: &str = "; Max-Age=2592000";

/// The cookie's name in `dev`, where there may be no TLS.
const DEV_NAME: &str = "sahm_session";

/// The cookie's name elsewhere; browsers take it from this host over TLS only.
const NAME: &str = "__Host-sahm_session";

/// The session cookie's name in an environment.
fn session_cookie_name(environment: Environment) -> &'static str {
    if environment.is_dev() { DEV_NAME } else { NAME }
}

/// Whether a cookie of this name may hold a session, in any environment. Browsers compare prefixes
/// of names without regard to case.
pub(crate) fn is_session_cookie(name: &[u8]) -> bool {
    [DEV_NAME, NAME].iter().any(|session| name.eq_ignore_ascii_case(session.as_bytes()))
}

/// Characters of a token: 256 random bits in base64url at least.
const TOKEN_CHARACTERS: std::ops::RangeInclusive<usize> = 43..=128;

/// Reads and writes the cookie's value. The first key signs, every key verifies.
pub(super) struct Cookies {
    keys: Vec<Hmac<Sha256>>,
    name: &'static str,
    secure: &'static str,
}

impl Cookies {
    /// Cookies of an environment; none verifies and none is made without a key.
    pub(super) fn new(keys: &[Secret<String>], environment: Environment) -> Self {
        let keys = keys.iter().filter_map(|key| Hmac::new_from_slice(key.expose().as_bytes()).ok());
        let secure = if environment.is_dev() { "" } else { "; Secure" };
        Self { keys: keys.collect(), name: session_cookie_name(environment), secure }
    }

    /// The cookie's name.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// The token in a value that one of our keys signed.
    pub(super) fn open<'a>(&self, value: &'a str) -> Option<&'a str> {
        let (token, mac) = value.split_once('.')?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok().filter(|_| is_token(token))?;
        let signed = |key: &Hmac<Sha256>| {
            let mut key = key.clone();
            key.update(token.as_bytes());
            key.verify_slice(&mac).is_ok()
        };
        self.keys.iter().any(signed).then_some(token)
    }

    /// `Set-Cookie` for a new session's token; `None` for what is no token.
    pub(super) fn set(&self, token: &str) -> Option<HeaderValue> {
        let mut key = self.keys.first().filter(|_| is_token(token))?.clone();
        key.update(token.as_bytes());
        let mac = URL_SAFE_NO_PAD.encode(key.finalize().into_bytes());
        self.header(&format!("{token}.{mac}"), AGE)
    }

    /// `Set-Cookie` that ends the session in the browser.
    pub(super) fn clear(&self) -> Option<HeaderValue> {
        self.header("", "; Max-Age=0")
    }

    /// `Set-Cookie` of another cookie that scripts do not see, signed, for `age` seconds.
    pub(super) fn other(&self, name: &str, value: &str, age: u32) -> Option<HeaderValue> {
        let mac = self.mac_of(name, value)?;
        self.named(name, &format!("{value}.{mac}"), &format!("; Max-Age={age}"))
    }

    /// The value of another cookie that one of our keys signed under its name.
    pub(super) fn open_other<'a>(&self, name: &str, text: &'a str) -> Option<&'a str> {
        let (value, mac) = text.split_once('.')?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        let signed = |key: &Hmac<Sha256>| named_mac(key, name, value).verify_slice(&mac).is_ok();
        self.keys.iter().any(signed).then_some(value)
    }

    /// The MAC of a value under a name, in base64url.
    pub(super) fn mac_of(&self, name: &str, value: &str) -> Option<String> {
        let mac = named_mac(self.keys.first()?, name, value).finalize();
        Some(URL_SAFE_NO_PAD.encode(mac.into_bytes()))
    }

    fn header(&self, value: &str, age: &str) -> Option<HeaderValue> {
        self.named(self.name, value, age)
    }

    fn named(&self, name: &str, value: &str, age: &str) -> Option<HeaderValue> {
        let secure = self.secure;
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}{secure}");
        let mut header = HeaderValue::try_from(text).ok()?;
        header.set_sensitive(true);
        Some(header)
    }
}

/// The name keeps the MACs of different cookies apart.
fn named_mac(key: &Hmac<Sha256>, name: &str, value: &str) -> Hmac<Sha256> {
    let mut mac = key.clone();
    mac.update(name.as_bytes());
    mac.update(b"=");
    mac.update(value.as_bytes());
    mac
}

fn is_token(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    TOKEN_CHARACTERS.contains(&text.len()) && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE";

    fn cookies(keys: &[&str], environment: Environment) -> Cookies {
        let keys = keys.iter().map(|key| Secret::new((*key).to_owned())).collect::<Vec<_>>();
        Cookies::new(&keys, environment)
    }

    fn value(header: &HeaderValue) -> String {
        let text = header.to_str().unwrap();
        text.split_once('=').unwrap().1.split(';').next().unwrap().to_owned()
    }

    #[test]
    fn another_cookie_opens_under_its_name_and_keys_only() {
        let (old, new) = (["b".repeat(32)], ["a".repeat(32), "b".repeat(32)]);
        let old = cookies(&[&old[0]], Environment::Dev);
        let rotated = cookies(&[&new[0], &new[1]], Environment::Dev);
        let set = value(&old.other("vid", "one", 60).unwrap());
        for signed in [&old, &rotated] {
            assert_eq!(signed.open_other("vid", &set), Some("one"), "{set}");
        }
        let mac = set.split_once('.').unwrap().1;
        for (name, text) in [
            ("other", set.clone()),
            ("vid", format!("two.{mac}")),
            ("vid", "one".to_owned()),
            ("vid", "one.".to_owned()),
            ("vid", format!("one.{}", &mac[1..])),
        ] {
            assert_eq!(old.open_other(name, &text), None, "{name}={text}");
        }
        assert_eq!(cookies(&[&new[0]], Environment::Dev).open_other("vid", &set), None);
    }

    #[test]
    fn keys_rotate() {
        let (old, new) = ("a".repeat(32), "b".repeat(32));
        let before = cookies(&[&old], Environment::Dev);
        let between = cookies(&[&new, &old], Environment::Dev);
        let after = cookies(&[&new], Environment::Dev);
        let first = value(&before.set(TOKEN).unwrap());
        let second = value(&between.set(TOKEN).unwrap());
        assert_eq!(between.open(&first), Some(TOKEN));
        assert_eq!(before.open(&second), None);
        assert_eq!((after.open(&first), after.open(&second)), (None, Some(TOKEN)));
    }

    #[test]
    fn what_was_touched_is_forged() {
        let cookies = cookies(&[&"k".repeat(32)], Environment::Dev);
        let value = value(&cookies.set(TOKEN).unwrap());
        assert_eq!(cookies.open(&value), Some(TOKEN));
        for at in 0..value.len() {
            let mut bytes = value.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(cookies.open(std::str::from_utf8(&bytes).unwrap()), None, "{at}");
        }
        for wrong in ["", ".", TOKEN, &format!("{TOKEN}."), &value[..value.len() - 1]] {
            assert_eq!(cookies.open(wrong), None, "{wrong}");
        }
        for token in ["", "short", &"a".repeat(129), &"é".repeat(43), &format!("{TOKEN}\r\n")] {
            assert!(cookies.set(token).is_none(), "{token}");
        }
    }

    #[test]
    fn each_environment_has_its_form() {
        let key = "k".repeat(32);
        let dev = cookies(&[&key], Environment::Dev);
        let live = cookies(&[&key], Environment::Prod);
        let text = |header: Option<HeaderValue>| header.unwrap().to_str().unwrap().to_owned();
        let (set, cleared) = (text(dev.set(TOKEN)), text(live.clear()));
        assert!(set.starts_with("sahm_session=") && !set.contains("Secure"), "{set}");
        assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000"), "{set}");
        assert_eq!(
            cleared,
            "__Host-sahm_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure"
        );
        assert!(cookies(&[], Environment::Prod).set(TOKEN).is_none());
    }

    proptest! {
        #[test]
        fn nothing_but_what_was_set_opens(text in ".{0,160}|[A-Za-z0-9_-]{43}\\.[A-Za-z0-9_-]{0,43}") {
            let cookies = cookies(&[&"k".repeat(32)], Environment::Dev);
            prop_assert_eq!(cookies.open(&text), None);
        }
    }
}
