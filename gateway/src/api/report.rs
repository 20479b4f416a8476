//! `/api/log/report`: what went wrong in a browser, written into this process's log.

use std::fmt::Write;

use super::{envelope::Failure, params::Params, request::Faults};

/// The path.
pub(super) const PATH: &str = "/api/log/report";

/// Fields and how many characters of each are kept.
const FIELDS: [(&str, usize); 4] =
    [("message", 2_000), ("stack", 8_000), ("url", 2_000), ("build", 80)];

/// Logs a report; what is longer than its bound is cut.
pub(super) fn log(params: &Params) -> Result<(), Failure> {
    let [message, stack, url, build] = FIELDS.map(|(name, bound)| {
        params.text(name).map(|text| escaped(text, bound)).filter(|text| !text.is_empty())
    });
    let Some(message) = message else {
        let fields = Faults::from([("message".to_owned(), "must be text, not empty".to_owned())]);
        return Err(Failure::fields(fields));
    };
    tracing::warn!(target: "sahm_client", report = message, stack, url, build, "client error");
    Ok(())
}

/// Cuts to `bound` characters and escapes what could forge lines or turn the reader's terminal.
fn escaped(text: &str, bound: usize) -> String {
    let mut out = String::with_capacity(text.len().min(bound * 4));
    for character in text.chars().take(bound) {
        match character {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if character.is_control() || is_invisible(character) => {
                // Writing to a String cannot fail.
                let _ = write!(out, "{}", character.escape_unicode());
            }
            _ => out.push(character),
        }
    }
    out
}

/// Line separators, direction overrides, joiners and the byte order mark.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_cuts() {
        let cases = [
            ("plain سهم", "plain سهم"),
            ("a\nb\r", "a\\nb\\u{d}"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("c:\\n", "c:\\\\n"),
            ("\u{202e}x\u{2028}", "\\u{202e}x\\u{2028}"),
            ("0123456789abcdefXYZ", "0123456789abcdef"),
        ];
        for (text, expected) in cases {
            assert_eq!(escaped(text, 16), expected);
        }
    }
}
