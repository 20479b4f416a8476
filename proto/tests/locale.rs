//! Spellings of locales. They are outside the crate, because its own tests would compile the generated code a second time.

use sahm_proto::Locale::{self, ArSa, EnUs};

#[test]
fn spellings() {
    for (text, parsed, or_english) in [
        ("en-us", Some(EnUs), EnUs),
        ("ar-sa", Some(ArSa), ArSa),
        ("AR_sa", Some(ArSa), ArSa),
        (" ar ", None, ArSa),
        ("EN", Some(EnUs), EnUs),
        ("", None, EnUs),
        ("fr-fr", None, EnUs),
        ("arabic", None, EnUs),
    ] {
        assert_eq!(Locale::parse(text), parsed, "{text:?}");
        assert_eq!(Locale::parse_or_english(text), or_english, "{text:?}");
    }
}

#[test]
fn names_are_exact() {
    assert_eq!(Locale::from_name("ar-sa"), Some(ArSa));
    assert_eq!(Locale::from_name("AR-SA"), None);
}
