//! Session tokens: 256 random bits, of which only a hash is stored.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

pub const SESSION_LIFETIME_SECONDS: u32 = 30 * 86_400;

/// The value of the browser's cookie. Never printed, never stored.
#[derive(Clone)]
pub struct SessionToken(String);

impl SessionToken {
    pub fn random() -> SessionToken {
        SessionToken(URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()))
    }

    /// Parses a token; `None` if it is malformed.
    pub fn parse(text: &str) -> Option<SessionToken> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == 32).then(|| SessionToken(text.to_owned()))
    }

    /// SHA-256, which suffices for random input.
    pub fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }

    /// The token as text, for the gateway.
    pub fn into_text(self) -> String {
        self.0
    }
}

/// An opaque random name, not a secret, for a session or as a nonce.
pub(crate) fn random_name() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn token_is_printed_and_parsed() {
        let token = SessionToken::random();
        let text = token.clone().into_text();
        assert_eq!(text.len(), 43);
        assert_eq!(SessionToken::parse(&text).unwrap().hash(), token.hash());
        assert_ne!(SessionToken::random().into_text(), text);
        for invalid in ["", "a", &text[1..], &format!("{text}A"), "é"] {
            assert!(SessionToken::parse(invalid).is_none(), "{invalid}");
        }
    }
}
