//! The campaigns of an empty database: 6666 always runs, 901 and 923 have dates in 2026.

use crate::bundle::Bundle;

/// Name and content of each file of the built-in seed.
pub const FILES: [(&str, &str); 4] = [
    ("6666.json", include_str!("../seed/6666.json")),
    ("901.json", include_str!("../seed/901.json")),
    ("923.json", include_str!("../seed/923.json")),
    ("shares.json", include_str!("../seed/shares.json")),
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
    use strum::IntoEnumIterator;

    use crate::domain::{Kind, NATIONAL_DAY, ShareChannel};

    /// The thresholds of the promotions.
    #[test]
    fn seed_has_the_figures_of_the_promotions() {
        let bundle = super::bundle().unwrap();
        assert_eq!(bundle.shares.len(), ShareChannel::iter().count());
        let kinds = bundle.campaigns.iter().map(|one| (one.id, one.kind)).collect::<Vec<_>>();
        assert_eq!(
            kinds,
            [(6666, Kind::Regular), (901, Kind::EidAlAdha), (NATIONAL_DAY, Kind::NationalDay)]
        );
        let expected = [
            (0, &["1,000", "300", "5,000", "1,500", "14", "80", "20,000"][..], ["", ""]),
            (1, &["1,000", "300", "5,000", "1,500", "14", "80", "10:00"], ["15:00", "3:00 عصرًا"]),
            (2, &["50", "4", "18,888"], ["", ""]),
        ];
        for (at, figures, [en, sa]) in expected {
            let campaign = &bundle.campaigns[at];
            let rules = campaign.rules.iter().chain(&campaign.info.steps);
            let texts = rules.map(|one| &one.text).chain([&campaign.summary]);
            let texts = texts.map(|text| campaign.figures.filled_text(text)).collect::<Vec<_>>();
            for figure in figures {
                for (language, found) in [
                    ("en", texts.iter().any(|text| text.en.contains(figure))),
                    ("sa", texts.iter().any(|text| text.sa.contains(figure))),
                ] {
                    assert!(found, "{}: {language} does not speak of {figure}", campaign.id);
                }
            }
            assert!(texts.iter().any(|text| text.en.contains(en)), "{}: {en}", campaign.id);
            assert!(texts.iter().any(|text| text.sa.contains(sa)), "{}: {sa}", campaign.id);
            assert_eq!(campaign.gcc_rules.len(), 6);
        }
    }
}
