//! Telephone numbers.

use std::fmt;

use sahm_chassis::error::{Error, Result};

use super::both_valid;

/// The telephone code of Saudi Arabia, whose numbers here are mobiles only.
const SAUDI_TEL_CODE: &str = "966";
/// Length of a Saudi mobile number, which starts with 5.
const SAUDI_DIGITS: usize = 9;
/// Lengths of a full number, in any country.
const DIALLED_DIGITS: std::ops::RangeInclusive<usize> = 4..=17;

/// A valid number in canonical form.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Phone {
    tel_code: String,
    national: String,
}

impl Phone {
    /// Parses a code (`966`, `+966`, `00966`) and a national number. Arabic-Indic and Persian
    /// digits are accepted. Spaces, hyphens and brackets are ignored, as is the trunk prefix 0 of a
    /// national number.
    ///
    /// # Errors
    /// Names the field `tel_code` or `phone`.
    pub fn parse(tel_code: &str, phone: &str) -> Result<Phone> {
        let code = digits_of(tel_code.trim().trim_start_matches('+'));
        let code = code.as_deref().map(|code| code.trim_start_matches("00")).unwrap_or_default();
        let is_code = (1..=7).contains(&code.len()) && !code.starts_with('0');
        let code = is_code
            .then_some(code)
            .ok_or_else(|| Error::field("tel_code", "is not a telephone code"));
        let invalid = |why| Error::field("phone", why);
        let national = digits_of(phone).filter(|digits| DIALLED_DIGITS.contains(&digits.len()));
        let national = national.ok_or_else(|| invalid("is not a telephone number"));
        let (code, national) = both_valid(code, national)?;
        Phone::existing(code, &national).map_err(invalid)
    }

    /// Parses a number that starts with `+` or `00`.
    pub(super) fn international(text: &str) -> Option<Phone> {
        let text = text.trim();
        let marked = text.starts_with('+');
        let digits = digits_of(text.trim_start_matches('+'))?;
        let digits = if marked { Some(digits.as_str()) } else { digits.strip_prefix("00") }?;
        DIALLED_DIGITS.contains(&digits.len()).then(|| Phone::existing("", digits).ok()).flatten()
    }

    fn existing(code: &str, national: &str) -> Result<Phone, &'static str> {
        const WRONG: &str = "is not a telephone number of this country";
        let digits = format!("{code}{national}");
        // No other telephone code starts with 966. The library's numbering plan is not used,
        // because it lacks ranges that operators have opened since its release.
        if let Some(dialled) = digits.strip_prefix(SAUDI_TEL_CODE) {
            let national = dialled.strip_prefix('0').unwrap_or(dialled);
            if !(national.starts_with('5') && national.len() == SAUDI_DIGITS) {
                return Err("a Saudi mobile has 9 digits and starts with 5");
            }
            return Ok(Phone {
                tel_code: SAUDI_TEL_CODE.to_owned(),
                national: national.to_owned(),
            });
        }
        let number = phonenumber::parse(None, format!("+{digits}")).map_err(|_| WRONG)?;
        let phone = Phone {
            tel_code: number.code().value().to_string(),
            national: number.national().to_string(),
        };
        if number.is_valid() { Ok(phone) } else { Err(WRONG) }
    }

    pub(crate) fn stored(tel_code: String, national: String) -> Phone {
        Phone { tel_code, national }
    }

    /// Digits without the plus.
    pub fn tel_code(&self) -> &str {
        &self.tel_code
    }

    /// The national number, digits only.
    pub fn national(&self) -> &str {
        &self.national
    }

    /// `+9665…`
    pub fn e164(&self) -> String {
        format!("+{}{}", self.tel_code, self.national)
    }

    pub fn is_saudi(&self) -> bool {
        self.tel_code == SAUDI_TEL_CODE
    }

    /// The range of 10,000 numbers that contains it.
    pub fn range(&self) -> String {
        let cut = self.national.len().saturating_sub(4);
        format!("{}{}", self.tel_code, &self.national[..cut])
    }

    /// The number for logs and calling teams: only the first and last two digits are visible, of a number with less
    /// than eight digits the last two.
    pub fn masked(&self) -> String {
        let length = self.national.len();
        let visible = if length < 8 { 0 } else { 2 };
        let hidden = "*".repeat(length.saturating_sub(visible + 2));
        format!("{}{hidden}{}", &self.national[..visible], &self.national[length - 2..])
    }

    /// The country, ISO 3166-1 alpha-2, if the number determines it.
    pub fn region(&self) -> Option<String> {
        let number = phonenumber::parse(None, self.e164()).ok()?;
        number.country().id().map(|id| id.as_ref().to_owned())
    }
}

impl fmt::Debug for Phone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} {}", self.tel_code, self.masked())
    }
}

/// The ASCII digits of a text that contains only digits and separators; otherwise `None`.
pub(super) fn digits_of(text: &str) -> Option<String> {
    let mut digits = String::new();
    for character in text.chars() {
        match character {
            '0'..='9' => digits.push(character),
            '\u{660}'..='\u{669}' => digits.push(ascii(character, 0x660)?),
            '\u{6f0}'..='\u{6f9}' => digits.push(ascii(character, 0x6f0)?),
            ' ' | '-' | '(' | ')' | '.' | '\u{a0}' => {}
            // Directional marks that are copied together with a number.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            _ => return None,
        }
        if digits.len() > 24 {
            return None;
        }
    }
    Some(digits)
}

fn ascii(digit: char, zero: u32) -> Option<char> {
    char::from_digit(u32::from(digit) - zero, 10)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_a_number_are_equal() {
        for (code, phone) in [
            ("966", "512345678"),
            ("+966", "512345678"),
            ("00966", "0512345678"),
            (" 966 ", "51 234-5678"),
            ("٩٦٦", "٥١٢٣٤٥٦٧٨"),
            ("۹۶۶", "۵۱۲۳۴۵۶۷۸"),
            ("966", "\u{200e}٠٥١٢٣٤٥٦٧٨\u{200f}"),
        ] {
            let read = Phone::parse(code, phone).unwrap();
            assert_eq!(read.e164(), "+966512345678", "{code} {phone}");
            assert_eq!((read.tel_code(), read.national()), ("966", "512345678"));
        }
    }

    #[test]
    fn invalid_field_is_reported() {
        for (code, phone, field) in [
            ("", "512345678", "tel_code"),
            ("abc", "512345678", "tel_code"),
            ("+", "512345678", "tel_code"),
            ("12345678", "512345678", "tel_code"),
            ("999", "512345678", "phone"),
            ("966", "", "phone"),
            ("966", "412345678", "phone"),
            ("966", "112345678", "phone"),
            ("966", "51234567", "phone"),
            ("966", "5123456789", "phone"),
            ("966", "51234567x", "phone"),
            ("966", "+966512345678", "phone"),
            ("966", "00512345672", "phone"),
            ("1", "1", "phone"),
            // The library accepts it, but no area code starts with 1.
            ("1", "1005550134", "phone"),
            ("966", "5123456785123456785123456785123456", "phone"),
        ] {
            let error = Phone::parse(code, phone).expect_err(phone);
            assert_eq!(error.fields()[0].field, field, "{code} {phone}");
        }
    }

    #[test]
    fn parse_of_a_saudi_mobile_does_not_depend_on_the_operators_ranges() {
        for national in ["521234567", "579912345", "500000000", "599999999"] {
            let read = Phone::parse("966", national).unwrap();
            assert_eq!((read.national(), read.region().as_deref()), (national, Some("SA")));
        }
    }

    #[test]
    fn invalid_code_and_number_are_reported_together() {
        let error = Phone::parse("x", "y").unwrap_err();
        let names: Vec<_> = error.fields().iter().map(|field| &*field.field).collect();
        assert_eq!(names, ["tel_code", "phone"]);
    }

    #[test]
    fn numbers_of_other_countries_are_parsed() {
        for (code, phone, e164, region) in [
            ("1", "202-555-0134", "+12025550134", "US"),
            ("44", "07400 123456", "+447400123456", "GB"),
            ("971", "0501234567", "+971501234567", "AE"),
            ("20", "1001234567", "+201001234567", "EG"),
        ] {
            let read = Phone::parse(code, phone).unwrap();
            assert_eq!(read.e164(), e164);
            assert_eq!(read.region().as_deref(), Some(region));
        }
    }

    #[test]
    fn masked_number_hides_the_middle_digits() {
        let phone = Phone::parse("966", "512345678").unwrap();
        assert_eq!(phone.masked(), "51*****78");
        assert_eq!(phone.range(), "96651234");
        assert_eq!(format!("{phone:?}"), "+966 51*****78");
        let short = Phone { tel_code: "683".to_owned(), national: "4002".to_owned() };
        assert_eq!(short.masked(), "**02");
        let omani = Phone { tel_code: "968".to_owned(), national: "92123456".to_owned() };
        assert_eq!(omani.masked(), "92****56");
    }

    proptest! {
        #[test]
        fn parse_never_panics(code in ".{0,12}", phone in ".{0,40}") {
            if let Ok(read) = Phone::parse(&code, &phone) {
                let again = Phone::parse(read.tel_code(), read.national()).unwrap();
                prop_assert_eq!(again, read);
            }
        }

        #[test]
        fn saudi_mobiles_start_with_5(number in "[0-9]{9}") {
            if Phone::parse("966", &number).is_ok() {
                prop_assert!(number.starts_with('5'));
            }
        }
    }
}
