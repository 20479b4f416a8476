//! Signatures of the assets in Redis: write access to Redis is not enough to put a script into visitors' pages.

use hmac::{Hmac, KeyInit, Mac};
use sahm_chassis::settings::Secret;
use sha2::Sha256;

use super::response::File;

/// Domain separation from other signatures with the same keys.
const PURPOSE: &[u8] = b"sahm asset\n";

/// Signs the name, the body and the compressed variants of an asset with HMAC-SHA-256. The first key signs, every key
/// verifies.
pub(super) struct AssetSigner {
    keys: Vec<Secret<String>>,
}

impl AssetSigner {
    pub(super) fn new(keys: Vec<Secret<String>>) -> Self {
        Self { keys }
    }

    /// The signature; empty without a key. An empty signature never verifies.
    pub(super) fn sign(&self, name: &str, file: &File) -> Vec<u8> {
        let mac = self.keys.first().and_then(|key| mac(key, name, file));
        mac.map(|mac| mac.finalize().into_bytes().to_vec()).unwrap_or_default()
    }

    pub(super) fn verify(&self, name: &str, file: &File, signature: &[u8]) -> bool {
        let signed =
            |key| mac(key, name, file).is_some_and(|mac| mac.verify_slice(signature).is_ok());
        self.keys.iter().any(signed)
    }
}

fn mac(key: &Secret<String>, name: &str, file: &File) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.expose().as_bytes()).ok()?;
    mac.update(PURPOSE);
    let parts =
        [Some(name.as_bytes()), Some(&file.identity), file.br.as_deref(), file.gzip.as_deref()];
    for part in parts {
        // The length delimits the parts; that of an absent part differs from every length.
        let length = part.map_or(u64::MAX, |part| part.len() as u64);
        mac.update(&length.to_be_bytes());
        mac.update(part.unwrap_or_default());
    }
    Some(mac)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    fn signer(keys: &[&str]) -> AssetSigner {
        AssetSigner::new(keys.iter().map(|key| Secret::new(key.repeat(32))).collect())
    }

    fn file(body: &'static str, br: Option<&'static str>, gzip: Option<&'static str>) -> File {
        let mut file = File::new("a-1.js", Bytes::from(body));
        (file.br, file.gzip) = (br.map(Bytes::from), gzip.map(Bytes::from));
        file
    }

    #[test]
    fn signature_covers_the_name_and_every_part() {
        let signer = signer(&["a"]);
        let signature = signer.sign("a-1.js", &file("body", Some("br"), None));
        assert!(signer.verify("a-1.js", &file("body", Some("br"), None), &signature));
        for (name, other) in [
            ("b-1.js", file("body", Some("br"), None)),
            ("a-1.js", file("bodybr", Some(""), None)),
            ("a-1.js", file("body", None, Some("br"))),
            ("a-1.js", file("body", Some("br"), Some(""))),
            ("a-1.js", file("body", Some("bR"), None)),
            ("a-1.js", file("", None, None)),
        ] {
            assert!(!signer.verify(name, &other, &signature), "{name} {other:?}");
        }
        for invalid in [&signature[1..], &[], &[0; 32]] {
            assert!(
                !signer.verify("a-1.js", &file("body", Some("br"), None), invalid),
                "{invalid:?}"
            );
        }
    }

    #[test]
    fn any_listed_key_verifies_and_the_first_one_signs() {
        let file = file("body", None, None);
        let (old, rotated) = (signer(&["a"]), signer(&["b", "a"]));
        assert!(rotated.verify("a-1.js", &file, &old.sign("a-1.js", &file)));
        assert!(!old.verify("a-1.js", &file, &rotated.sign("a-1.js", &file)));
        let keyless = signer(&[]);
        assert!(!keyless.verify("a-1.js", &file, &keyless.sign("a-1.js", &file)));
    }
}
