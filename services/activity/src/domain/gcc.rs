//! The countries of the Gulf Cooperation Council, and the rules of campaigns for their members.

use serde::{Deserialize, Serialize};

use super::{Currency, Text};

/// A country of the Gulf Cooperation Council.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GccCountry {
    /// ISO 3166-1 alpha-3.
    pub code: &'static str,
    pub name_en: &'static str,
    /// In Arabic.
    pub name_sa: &'static str,
}

/// All six, Saudi Arabia first.
pub const GCC: [GccCountry; 6] = [
    country("SAU", "Saudi Arabia", "المملكة العربية السعودية"),
    country("ARE", "United Arab Emirates", "الإمارات العربية المتحدة"),
    country("KWT", "Kuwait", "الكويت"),
    country("QAT", "Qatar", "قطر"),
    country("BHR", "Bahrain", "البحرين"),
    country("OMN", "Oman", "سلطنة عُمان"),
];

const fn country(code: &'static str, name_en: &'static str, name_sa: &'static str) -> GccCountry {
    GccCountry { code, name_en, name_sa }
}

/// The rule of a campaign for the members of one country.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GccRule {
    /// One of [`GCC`].
    pub country_code: String,
    /// The currency that the country's members usually deposit.
    pub currency: Currency,
    /// The rule, with figures as placeholders.
    pub text: Text,
}

impl GccRule {
    /// The country; `None` for a code that is not one of the six.
    pub fn country(&self) -> Option<GccCountry> {
        GCC.into_iter().find(|country| country.code == self.country_code)
    }
}

/// Whether a text can be an ISO 3166-1 alpha-3 code.
pub fn country_code(text: &str) -> Option<&str> {
    (text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn country_code_has_three_capitals() {
        for (text, fits) in [("SAU", true), ("sau", false), ("SA", false), ("S1U", false)] {
            assert_eq!(country_code(text).is_some(), fits, "{text}");
        }
        assert!(GCC.iter().all(|country| country_code(country.code).is_some()));
    }
}
