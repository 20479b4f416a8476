//! Security codes, and comma-separated lists in requests.

use std::fmt;

use sahm_chassis::error::{Error, Result};

/// Maximum length of a code in characters.
const MAX_CODE_LENGTH: usize = 20;

/// An exchange's own code of a security, for instance `2222` or `BRK.B`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecurityCode(String);

impl SecurityCode {
    /// Parses 1 to 20 of `A-Z a-z 0-9 . - _ ^ :`.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_^:".contains(&byte);
        let formed = (1..=MAX_CODE_LENGTH).contains(&text.len()) && text.bytes().all(fits);
        formed.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SecurityCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Parses a comma-separated list of 1 to `max` codes, deduplicated, in the requested order.
pub fn codes_of(list: &str, max: usize) -> Result<Vec<SecurityCode>> {
    let invalid = |why: String| Error::field("security_codes", why);
    let mut codes = Vec::new();
    let mut unique = std::collections::HashSet::new();
    for text in list.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        let code = SecurityCode::parse(text)
            .ok_or_else(|| invalid("contains an invalid security code".to_owned()))?;
        if unique.insert(text) {
            codes.push(code);
        }
        if codes.len() > max {
            return Err(invalid(format!("must be at most {max}")));
        }
    }
    if codes.is_empty() {
        return Err(invalid("must be a comma list of security codes".to_owned()));
    }
    Ok(codes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn code_lists_are_parsed() {
        let read = |list: &str| {
            codes_of(list, 50)
                .ok()
                .map(|codes| codes.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        for (list, codes) in [
            ("2222", vec!["2222"]),
            (" 2222, AAPL,,2222 ", vec!["2222", "AAPL"]),
            ("BRK.B,^GSPC,A:B_c-d", vec!["BRK.B", "^GSPC", "A:B_c-d"]),
        ] {
            assert_eq!(read(list).unwrap(), codes);
        }
        let longest = "A".repeat(20);
        assert_eq!(read(&longest).unwrap(), [longest.as_str()]);
        for invalid in ["", ",", "AA PL", "<x>", "سهم", &"A".repeat(21)] {
            assert_eq!(read(invalid), None, "{invalid}");
        }
        let many = (0..50).map(|code| code.to_string()).collect::<Vec<_>>().join(",");
        assert_eq!(read(&many).unwrap().len(), 50);
        assert_eq!(read(&format!("{many},50")), None);
        assert_eq!(codes_of("", 1).unwrap_err().fields()[0].field, "security_codes");
        assert_eq!(codes_of("A,A,A", 1).unwrap().len(), 1);
    }
}
