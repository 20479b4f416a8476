use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sahm_chassis::settings::Secret;
use sha2::Sha256;

use crate::domain::Locale;

/// Validity of a signature in seconds.
pub const SIGNATURE_SECONDS: u32 = 3_600;

const VERSION: u8 = 1;
const HEADER_BYTES: usize = 6;
const MAC_BYTES: usize = 32;
/// Domain separation from other signatures with the same keys.
const PURPOSE: &[u8] = b"sahm article translation\n";

/// Signs that an article was shown in a locale, so that its reader may request a translation.
pub struct ArticleSigner {
    keys: Vec<Secret<String>>,
}

impl ArticleSigner {
    /// Signs with the first key and verifies with all keys.
    pub fn new(keys: Vec<Secret<String>>) -> Self {
        Self { keys }
    }

    /// The signature of an article in a locale, of the form `[A-Za-z0-9_-]{51}`; empty without a
    /// key.
    pub fn sign(&self, id: u64, locale: Locale, now: u32) -> String {
        let Some(key) = self.keys.first() else { return String::new() };
        let mut bytes = Vec::with_capacity(HEADER_BYTES + MAC_BYTES);
        bytes.extend([VERSION, u8::from(locale == Locale::ArSa)]);
        bytes.extend(now.saturating_add(SIGNATURE_SECONDS).to_be_bytes());
        let Some(mac) = mac(key, &bytes, id) else { return String::new() };
        bytes.extend(mac.finalize().into_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The article and locale of a signature; `None` if it is invalid, expired or for another
    /// article. `id` is the unparsed id of the request.
    pub fn verify(&self, sign: &str, id: &str, now: u32) -> Option<(u64, Locale)> {
        let id: u64 = id.parse().ok().filter(|number: &u64| number.to_string() == id)?;
        let bytes = URL_SAFE_NO_PAD.decode(sign).ok()?;
        let (head, sum) = bytes.split_at_checked(HEADER_BYTES)?;
        let genuine = self
            .keys
            .iter()
            .any(|key| mac(key, head, id).is_some_and(|mac| mac.verify_slice(sum).is_ok()));
        let until = u32::from_be_bytes(head[2..].try_into().ok()?);
        let locale = if head[1] == 0 { Locale::EnUs } else { Locale::ArSa };
        (genuine && head[0] == VERSION && now < until).then_some((id, locale))
    }
}

fn mac(key: &Secret<String>, head: &[u8], id: u64) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.expose().as_bytes()).ok()?;
    mac.update(PURPOSE);
    mac.update(head);
    mac.update(&id.to_be_bytes());
    Some(mac)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: u32 = 1_795_219_200;

    fn signer(keys: &[&str]) -> ArticleSigner {
        ArticleSigner::new(keys.iter().map(|key| Secret::new((*key).to_owned())).collect())
    }

    #[test]
    fn signature_is_valid_for_its_article_and_one_hour() {
        let ours = signer(&["first"]);
        let sign = ours.sign(1001, Locale::ArSa, NOW);
        let table = [
            ("1001", NOW, true),
            ("1001", NOW + SIGNATURE_SECONDS - 1, true),
            ("1001", NOW + SIGNATURE_SECONDS, false),
            ("1002", NOW, false),
            ("01001", NOW, false),
            ("+1001", NOW, false),
            ("", NOW, false),
            ("x", NOW, false),
        ];
        for (id, now, holds) in table {
            let expected = holds.then_some((1001, Locale::ArSa));
            assert_eq!(ours.verify(&sign, id, now), expected, "{id} {now}");
        }
        assert_eq!(sign.len(), 51);
        assert_eq!(
            ours.verify(&ours.sign(7, Locale::EnUs, NOW), "7", NOW),
            Some((7, Locale::EnUs))
        );
    }

    #[test]
    fn signatures_of_all_keys_are_valid() {
        let sign = signer(&["old"]).sign(7, Locale::EnUs, NOW);
        assert!(signer(&["new", "old"]).verify(&sign, "7", NOW).is_some());
        assert_eq!(signer(&["new"]).verify(&sign, "7", NOW), None);
        assert_eq!(signer(&[]).sign(7, Locale::EnUs, NOW), "");
    }

    proptest! {
        #[test]
        fn malformed_signature_is_rejected(sign: String) {
            prop_assert_eq!(signer(&["key"]).verify(&sign, "7", NOW), None);
        }

        #[test]
        fn signature_with_a_changed_character_is_rejected(at in 0..51_usize, to in "[A-Za-z0-9_-]") {
            let ours = signer(&["key"]);
            let sign = ours.sign(7, Locale::EnUs, NOW);
            let mut changed = sign.clone();
            changed.replace_range(at..=at, &to);
            prop_assume!(changed != sign);
            prop_assert_eq!(ours.verify(&changed, "7", NOW), None);
        }
    }
}
