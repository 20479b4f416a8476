//! `/api/log/report`: errors that browsers report, counted and logged, also over OTLP if configured. URLs are logged
//! without their queries; possible telephone numbers and tokens are redacted.

use std::borrow::Cow;

use opentelemetry::metrics::Counter;
use regex::{Captures, Regex};
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
    redactor: Redactor,
}

impl ClientErrors {
    /// # Errors
    /// A pattern of the redaction is invalid.
    pub(super) fn new() -> Result<Self, regex::Error> {
        let taken = telemetry::counter("gateway.client_errors", "Errors that browsers report");
        // Exports the counter from the start, so that the first report is an increase.
        taken.add(0, &[]);
        Ok(Self { taken, redactor: Redactor::new()? })
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
            let value = params.text(name).map(|text| self.redactor.redacted(text, bound));
            value.filter(|text| !text.is_empty())
        });
        let Some(message) = message else {
            return Err(Failure::field("message", "must be text, not empty"));
        };
        self.taken.add(1, &[]);
        tracing::warn!(target: "sahm_client", report = message, stack, url, build, "client error");
        Ok(())
    }
}

/// Minimum number of digits that may be a phone number, or several: a short national number (ITU-T E.164).
const MIN_PHONE_DIGITS: usize = 8;

/// Patterns of text that must not be logged.
struct Redactor {
    /// A URL up to its query or fragment, which may contain tickets, redirect targets and names.
    query: Regex,
    /// Digits, grouped by spaces, hyphens, dots and brackets.
    digit_groups: Regex,
    /// A date (`2026-11-21`) at the start of digit groups.
    date: Regex,
    word: Regex,
    /// Characters that could forge log lines or control a terminal: controls, line separators, direction overrides,
    /// joiners and the byte order mark.
    control: Regex,
}

impl Redactor {
    fn new() -> Result<Self, regex::Error> {
        Ok(Self {
            query: Regex::new(r#"(/[^\s"'`()<>?#]*[?#])[^\s"'`()<>]*"#)?,
            digit_groups: Regex::new(r"\p{N}(?:[\p{N} \u{a0}.()+-]*\p{N})?")?,
            date: Regex::new(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[^0-9]|$)")?,
            word: Regex::new(r"[\p{Alphabetic}\p{N}_-]+")?,
            control: Regex::new(
                r"[\\\p{Cc}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{2069}\u{feff}]",
            )?,
        })
    }

    /// At most `max_chars` characters of a text.
    fn redacted(&self, text: &str, max_chars: usize) -> String {
        let text = self.without_queries(text);
        let text = self.without_phones(&text);
        self.escaped(&self.masked(&text), max_chars)
    }

    fn without_queries<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.query.replace_all(text, "$1…")
    }

    /// Redacts phone numbers whose digits are grouped; keeps dates and digits inside words.
    fn without_phones<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.digit_groups.replace_all(text, |found: &Captures<'_>| {
            let groups = &found[0];
            let start = found.get(0).map_or(0, |found| found.start());
            let is_in_word = text[..start].ends_with(char::is_alphabetic);
            let date_length = if self.date.is_match(groups) { "2026-11-21".len() } else { 0 };
            let (date, number) = groups.split_at(date_length);
            let digits = number.chars().filter(|character| character.is_numeric()).count();
            let is_grouped = number.contains(|character: char| !character.is_numeric());
            match is_grouped && !is_in_word && digits >= MIN_PHONE_DIGITS {
                true => format!("{date}…"),
                false => groups.to_owned(),
            }
        })
    }

    /// Redacts words that may be a phone number (8 consecutive digits or more) or a token (43 characters or more, with
    /// upper and lower case letters and digits).
    fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.word.replace_all(text, |found: &Captures<'_>| {
            let word = &found[0];
            if is_secret(word) { "…".to_owned() } else { word.to_owned() }
        })
    }

    /// Truncates, and escapes control characters.
    fn escaped(&self, text: &str, max_chars: usize) -> String {
        let end = text.char_indices().nth(max_chars).map_or(text.len(), |(end, _)| end);
        let escaped =
            self.control.replace_all(&text[..end], |found: &Captures<'_>| match &found[0] {
                "\n" => "\\n".to_owned(),
                "\t" => "\\t".to_owned(),
                "\\" => "\\\\".to_owned(),
                other => other.escape_unicode().to_string(),
            });
        escaped.into_owned()
    }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn redactor() -> Redactor {
        Redactor::new().unwrap()
    }

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
            assert_eq!(redactor().without_queries(text), expected);
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
            assert_eq!(redactor().masked(text), expected);
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
            assert_eq!(redactor().without_phones(text), expected, "{text}");
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
            assert_eq!(redactor().escaped(text, 16), expected);
        }
    }
}
