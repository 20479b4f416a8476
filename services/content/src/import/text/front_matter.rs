//! Splits a Markdown file into its front matter and its text.
use crate::import::Refusal;

/// Maximum size of front matter in bytes.
const MAX_FRONT_MATTER: usize = 16 * 1024;

/// The parts of a Markdown file. Front matter starts on the file's second line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    /// YAML.
    pub front_matter: &'a str,
    /// Markdown.
    pub body: &'a str,
    /// Number of lines of the file before the body.
    pub lines_before: usize,
}

/// Splits at the two `---` lines.
pub(crate) fn split(text: &str) -> Result<Parts<'_>, Refusal> {
    let is_mark = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let start = match lines.next() {
        Some(line) if is_mark(line) => line.len(),
        _ => {
            return Err(Refusal::at(
                1,
                "front matter is missing: the file does not start with ---",
            ));
        }
    };
    let mut end = start;
    for (number, line) in lines.enumerate() {
        if is_mark(line) {
            let parts = Parts {
                front_matter: &text[start..end],
                body: &text[end + line.len()..],
                lines_before: number + 2,
            };
            return if parts.front_matter.len() > MAX_FRONT_MATTER {
                Err(Refusal::at(1, "front matter is longer than 16 KB"))
            } else {
                Ok(parts)
            };
        }
        end += line.len();
    }
    Err(Refusal::at(1, "front matter has no end: no second line of ---"))
}

/// The line of the file that contains a key of the front matter.
pub(crate) fn line_of(front_matter: &str, key: &str) -> Option<usize> {
    let is_key = |line: &str| {
        let line = line.trim_start_matches(['"', '\'']);
        line.strip_prefix(key)
            .is_some_and(|rest| rest.trim_start_matches(['"', '\'', ' ']).starts_with(':'))
    };
    front_matter.lines().position(is_key).map(|at| at + 2)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn file_is_split_at_its_front_matter() {
        let table = [
            ("---\na: 1\n---\nbody\n", "a: 1\n", "body\n", 3),
            ("---\r\na: 1\r\n---\r\nbody", "a: 1\r\n", "body", 3),
            ("---\n---\n", "", "", 2),
            ("---\na: 1\n--- \n---\n", "a: 1\n", "---\n", 3),
        ];
        for (text, front_matter, body, lines_before) in table {
            assert_eq!(split(text), Ok(Parts { front_matter, body, lines_before }), "{text:?}");
        }
        for text in ["", "a: 1", "\n---\na: 1\n---\n", "---\na: 1\n", "----\n---\n"] {
            assert_eq!(split(text).unwrap_err().line, Some(1), "{text:?}");
        }
    }

    #[test]
    fn line_of_finds_keys() {
        let yaml = "id: 1\n\"title\": a\nimageAlt: c\nimage : b\n";
        let table = [
            ("id", Some(2)),
            ("title", Some(3)),
            ("image", Some(5)),
            ("imageAlt", Some(4)),
            ("x", None),
        ];
        for (key, line) in table {
            assert_eq!(line_of(yaml, key), line, "{key}");
        }
    }

    proptest! {
        #[test]
        fn split_accepts_any_text(text in "(---\r?\n|[a-z:]{0,5}|\n){0,12}") {
            if let Ok(parts) = split(&text) {
                prop_assert!(text.ends_with(parts.body));
                prop_assert_eq!(text.lines().count(), parts.lines_before + parts.body.lines().count());
            }
        }
    }
}
