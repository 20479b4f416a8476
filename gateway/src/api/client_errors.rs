//! `/api/log/report`: errors that browsers report, counted and logged, also over OTLP if configured. URLs are logged
//! without their queries; possible telephone numbers and tokens are redacted.

use std::fmt::Write;

use opentelemetry::metrics::Counter;
use sahm_chassis::telemetry;

use super::{envelope::Failure, params::Params, request::FieldErrors};

pub(super) const PATH: &str = "/api/log/report";

/// Maximum size of a report, bytes (docs/limits-and-timeouts.md).
pub(super) const MAX_BODY_BYTES: usize = 16 << 10;

/// Fields, and the number of characters of each that are logged.
const FIELDS: [(&str, usize); 4] =
    [("message", 2_000), ("stack", 8_000), ("url", 2_000), ("build", 80)];

pub(super) struct ClientErrors {
    taken: Counter<u64>,
}

impl ClientErrors {
    pub(super) fn new() -> Self {
        let taken = telemetry::counter("gateway.client_errors", "Errors that browsers report");
        // Exports the counter from the start, so that the first report is an increase.
        taken.add(0, &[]);
        Self { taken }
    }

    /// Counts and logs a report; long fields are truncated.
    ///
    /// # Errors
    /// The message is missing, or a field is not text.
    pub(super) fn record(&self, params: &Params) -> Result<(), Failure> {
        let refused = FIELDS.iter().filter(|(name, _)| !params.is_text_or_absent(name));
        let refused = refused.map(|(name, _)| ((*name).to_owned(), "must be text".to_owned()));
        let refused: FieldErrors = refused.collect();
        if !refused.is_empty() {
            return Err(Failure::fields(refused));
        }
        let [message, stack, url, build] = FIELDS.map(|(name, bound)| {
            let value = params.text(name);
            let value =
                value.map(|text| escaped(&masked(&without_phones(&without_queries(text))), bound));
            value.filter(|text| !text.is_empty())
        });
        let Some(message) = message else {
            let why = ("message".to_owned(), "must be text, not empty".to_owned());
            return Err(Failure::fields(FieldErrors::from([why])));
        };
        self.taken.add(1, &[]);
        tracing::warn!(target: "sahm_client", report = message, stack, url, build, "client error");
        Ok(())
    }
}

/// Removes queries and fragments of URLs, which may contain tickets, redirect targets and names.
fn without_queries(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_address, mut in_query) = (false, false);
    for character in text.chars() {
        match character {
            '"' | '\'' | '`' | '(' | ')' | '<' | '>' => (in_address, in_query) = (false, false),
            space if space.is_whitespace() => (in_address, in_query) = (false, false),
            '/' => in_address = true,
            '?' | '#' if in_address && !in_query => {
                in_query = true;
                out.extend([character, '…']);
            }
            _ => {}
        }
        if !in_query {
            out.push(character);
        }
    }
    out
}

/// Number of digits of a phone number, from the shortest national number to the longest international one
/// (ITU-T E.164).
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 8..=15;

/// Redacts phone numbers whose digits are grouped by spaces, hyphens, dots and brackets; keeps dates.
fn without_phones(text: &str) -> String {
    let is_part = |character: char| {
        character.is_numeric() || matches!(character, ' ' | '\u{a0}' | '-' | '.' | '(' | ')' | '+')
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(char::is_numeric) {
        let (before, run) = rest.split_at(start);
        out.push_str(before);
        let end = run.find(|character| !is_part(character)).unwrap_or(run.len());
        let run = run[..end].trim_end_matches(|character: char| !character.is_numeric());
        rest = &rest[start + run.len()..];
        // Digits inside a word are not a phone number.
        let is_in_word = before.ends_with(char::is_alphabetic);
        let (date, number) = run.split_at(date_length(run));
        out.push_str(date);
        let digits = number.chars().filter(|character| character.is_numeric()).count();
        let is_grouped = number.contains(|character: char| !character.is_numeric());
        match is_grouped && !is_in_word && PHONE_DIGITS.contains(&digits) {
            true => out.push('…'),
            false => out.push_str(number),
        }
    }
    out + rest
}

/// Length in bytes of the date (`2026-11-21`) at the start of a text; 0 without one.
fn date_length(text: &str) -> usize {
    const FORM: &[u8] = b"dddd-dd-dd";
    let fits = |(byte, form): (&u8, &u8)| match form {
        b'd' => byte.is_ascii_digit(),
        _ => byte == form,
    };
    let is_date = text.len() >= FORM.len()
        && text.bytes().zip(FORM).all(|(byte, form)| fits((&byte, form)))
        && !text.as_bytes().get(FORM.len()).is_some_and(u8::is_ascii_digit);
    if is_date { FORM.len() } else { 0 }
}

/// Redacts words that may be a phone number (8 consecutive digits or more) or a token (43 characters or more, with
/// upper and lower case letters and digits).
fn masked(text: &str) -> String {
    let is_end = |character: char| !(character.is_alphanumeric() || matches!(character, '_' | '-'));
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(is_end) {
        let word = part.trim_end_matches(is_end);
        out.push_str(if is_secret(word) { "…" } else { word });
        out.push_str(&part[word.len()..]);
    }
    out
}

fn is_secret(word: &str) -> bool {
    let has = |kind: fn(char) -> bool| word.chars().any(kind);
    let is_token = word.len() >= 43
        && has(char::is_uppercase)
        && has(char::is_lowercase)
        && has(char::is_numeric);
    let digits = word.split(|c: char| !c.is_numeric()).map(|run| run.chars().count()).max();
    is_token || digits.unwrap_or(0) >= 8
}

/// Truncates to `bound` characters, and escapes characters that could forge log lines or control a terminal.
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
    fn queries_of_urls_are_removed() {
        let cases = [
            ("https://a.example/b?ticket=X#y", "https://a.example/b?…"),
            ("/en-us/login?target=%2Fx failed", "/en-us/login?… failed"),
            (
                "at f (https://a.example/x.js?v=1:2:3)\nat g",
                "at f (https://a.example/x.js?…)\nat g",
            ),
            ("\"/a#token=1\", '/b'", "\"/a#…\", '/b'"),
            ("why? Foo.#bar", "why? Foo.#bar"),
            ("at https://a.example/x.js:2:3", "at https://a.example/x.js:2:3"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_queries(text), expected);
        }
    }

    #[test]
    fn phones_and_tokens_are_redacted() {
        let token = "kJ8aB3_dE5-".repeat(4);
        let cases = [
            ("tel:+966110000000 failed", "tel:+… failed"),
            ("phone ٥١٢٣٤٥٦٧٨!", "phone …!"),
            (&*format!("session={token}"), "session=…"),
            ("x.js:1234567:20, 2026-11-21", "x.js:1234567:20, 2026-11-21"),
            (
                "/a-long-slug-of-many-words-that-goes-on-and-on",
                "/a-long-slug-of-many-words-that-goes-on-and-on",
            ),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(masked(text), expected);
        }
    }

    #[test]
    fn grouped_phone_numbers_are_redacted() {
        for (text, expected) in [
            ("call +966 51 234 5678 now", "call +… now"),
            ("call 051-234-5678.", "call …."),
            ("(011) 000 0000", "(…"),
            ("00966.51.234.5678", "…"),
            ("+1 (202) 555-0100!", "+…!"),
            ("٠٥١ ٢٣٤ ٥٦٧٨", "…"),
            ("on 2026-11-21 10:20", "on 2026-11-21 10:20"),
            ("2026-11-21", "2026-11-21"),
            ("x.js:120:14", "x.js:120:14"),
            ("v1.2.3 took 20 ms, 3 of 4", "v1.2.3 took 20 ms, 3 of 4"),
            ("200 - 300", "200 - 300"),
            ("", ""),
        ] {
            assert_eq!(without_phones(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_are_escaped_and_truncated() {
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
