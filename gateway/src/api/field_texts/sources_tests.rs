#![allow(clippy::unwrap_used)]
//! Compares the catalogue with the sources of the services: each reason that a caller of the JSON API may receive has
//! an Arabic text.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::*;

/// Calls that create an error about a field.
const CONSTRUCTORS: [&str; 3] = ["::field(", "::rejected(", ".and_field("];

/// Beginnings of reasons that are not literals in a constructor call.
const OPENINGS: [&str; 11] = [
    "is ", "must ", "may ", "at most ", "one of ", "too ", "has ", "lies ", "comes ", "1 to ",
    "8 to ",
];

/// Reasons that callers of the JSON API never receive: the rpc has no path, or the gateway's rules reject the value
/// first.
const RPC_ONLY: [&str; 34] = [
    "a message is given in both languages or in none",
    "at most {MAX_RETRY_AFTER_SECONDS}",
    "must name a feature",
    "{min} to {max} characters",
    "SAR or USD",
    "YYYY-MM-DD",
    "a file begins with its head",
    "a value has at most 8192 bytes",
    "an opened account has a number",
    "appCommons, web, webCommons, urls, joined by commas",
    "at most 1000 ids",
    "at most 10000",
    "at most {MAX_PRIZES}",
    "comes once",
    "comes twice",
    "commons or nothing",
    "day, event, campaign, channel, sell client",
    "ids of dead letters",
    "ios, android, huawei, one-link or nothing",
    "is at most 32 letters, digits and hyphens",
    "is not a ticket",
    "is not an email",
    "must be a date such as 2026-11-30",
    "must be a relative path without control characters",
    "must be above 0",
    "must name {} or *",
    "must not be before from_date",
    "must not lie in the future",
    "not before from_day and at most 366 days after it",
    "riyals above 0",
    "the account is not opened",
    "three capital letters, as SAU",
    "us, saudi or nothing",
    "{kind:?} is not searched",
];

#[test]
fn every_reason_in_the_services_sources_has_an_arabic_text() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("../services");
    let mut files = vec![services.join("chassis/src/cursor.rs")];
    for service in ["activity", "attribution", "config", "content", "identity", "quotes"] {
        rust_files(&services.join(service).join("src"), &mut files);
    }
    let mut found = BTreeSet::new();
    for file in files {
        found.extend(reasons(&fs::read_to_string(file).unwrap()));
    }
    assert!(found.len() > 60 && found.contains("is required"), "{found:?}");
    let has_arabic = |reason: &&String| localized(&filled(reason), Locale::ArSa) != INVALID;
    let missing: BTreeSet<_> = found.iter().filter(|reason| !has_arabic(reason)).collect();
    let rpc_only = RPC_ONLY.map(str::to_owned);
    assert_eq!(missing, rpc_only.iter().collect(), "add an Arabic text, or list it as RPC_ONLY");
}

#[test]
fn reasons_are_found_in_calls_by_their_openings_and_outside_tests() {
    let source = r#"
        // Error::field("a", "in a comment")
        fn f() {
            let wrong = |why| Error::field("b", why);
            wrong("must be {one} of \
                   two");
            Error::of(Code).and_field(format!("c[{at}]"), format!("{x} (really), is odd"));
            let other = "no reason";
        }
        #[cfg(test)]
        mod tests { fn g() { Error::field("d", "in a test"); } }
    "#;
    let expected = ["must be {one} of two", "{x} (really), is odd"].map(str::to_owned);
    assert_eq!(reasons(source), BTreeSet::from(expected));
    assert_eq!(reasons("fn f() { log(\"must be said\"); }"), BTreeSet::new());
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.to_string_lossy().ends_with("tests.rs");
        if path.is_dir() {
            rust_files(&path, files);
        } else if !is_test && path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The reasons in a file: all literals in the second argument of a constructor call, and, in files with such calls, all
/// literals that begin with one of [`OPENINGS`].
fn reasons(source: &str) -> BTreeSet<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let (code, texts) = split_texts(source);
    let calls: Vec<usize> = CONSTRUCTORS
        .iter()
        .flat_map(|name| code.match_indices(name).map(|(at, name)| at + name.len()))
        .collect();
    if calls.is_empty() {
        return BTreeSet::new();
    }
    let ranges: Vec<_> = calls.into_iter().map(|start| second_argument(&code, start)).collect();
    let is_reason = |(at, text): &(usize, String)| {
        let is_argument = || ranges.iter().any(|range| range.contains(at));
        let has_opening = OPENINGS.iter().any(|opening| text.starts_with(opening));
        has_opening || text.contains(char::is_alphabetic) && is_argument()
    };
    texts.into_iter().filter(is_reason).map(|(_, text)| text).collect()
}

/// The range of the second argument of a call whose first argument begins at `start`.
fn second_argument(code: &str, start: usize) -> std::ops::Range<usize> {
    let (mut depth, mut second) = (0_usize, None);
    for (at, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' if depth == 0 => return second.unwrap_or(at)..at,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 && second.is_none() => second = Some(at),
            _ => {}
        }
    }
    start..start
}

/// Blanks comments and string literals out of code, at the same offsets; also returns the literals with their offsets.
fn split_texts(source: &str) -> (String, Vec<(usize, String)>) {
    let (mut code, mut texts) = (String::with_capacity(source.len()), Vec::new());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let at = code.len();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("'\"'") {
            3
        } else if first == '"' {
            let (length, text) = literal(rest);
            texts.push((at, text));
            length
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        code.extend(std::iter::repeat_n(' ', length));
        rest = &rest[length..];
    }
    (code, texts)
}

/// Length in bytes and value of the string literal at the start of a text.
fn literal(source: &str) -> (usize, String) {
    let (mut value, mut characters) = (String::new(), source.char_indices().skip(1).peekable());
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (at + 1, value),
            '\\' => match characters.next() {
                Some((_, '\n')) => {
                    while characters.next_if(|(_, next)| next.is_whitespace()).is_some() {}
                }
                Some((_, escaped)) => value.push(escaped),
                None => {}
            },
            other => value.push(other),
        }
    }
    (source.len(), value)
}

/// A reason with its arguments replaced by numbers.
fn filled(reason: &str) -> String {
    let mut parts = reason.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "7" + part.split_once('}').map_or(part, |(_, rest)| rest))
}
