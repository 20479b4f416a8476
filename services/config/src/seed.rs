//! The configuration of an empty database.

use crate::bundle::Bundle;

const FILES: [(&str, &str); 4] = [
    ("items.jsonl", include_str!("../seed/items.jsonl")),
    ("menu.json", include_str!("../seed/menu.json")),
    ("fees.json", include_str!("../seed/fees.json")),
    ("countries.jsonl", include_str!("../seed/countries.jsonl")),
];

/// The built-in seed, parsed and validated.
pub fn bundle() -> anyhow::Result<Bundle> {
    let mut bundle = Bundle::default();
    for (name, text) in FILES {
        bundle.add(name, text)?;
    }
    Ok(bundle)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    #[test]
    fn seed_is_complete() {
        let bundle = super::bundle().unwrap();
        assert_eq!(bundle.countries.len(), 249);
        assert!(bundle.countries.iter().all(|row| !row.name_ar.is_empty()));
        let menu = bundle.menu.unwrap();
        assert_eq!(menu.header.len(), 9);
        assert_eq!(menu.header[0].children.len(), 9);
        assert_eq!(menu.footer.len(), 4);
        assert_eq!(menu.social.len(), 5);
        assert!(bundle.fees.is_some());
    }
}
