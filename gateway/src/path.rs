//! A request's path, split into locale prefix and decoded segments (docs/redirects.md).

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::visitor::Locale;

/// Characters that are percent-encoded in a path segment.
const SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Why a path is not one of this site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathError {
    /// Bad percent-encoding or not UTF-8: 400.
    Malformed,
    /// `//`, `\`, a control character, or an encoded slash: 404.
    Forbidden,
}

/// A parsed path, as the redirect rules use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SitePath {
    /// The supported locale of the prefix, if there is one.
    pub locale: Option<Locale>,
    pub prefix: Prefix,
    /// Segments after the prefix, percent-decoded once; empty for home.
    pub segments: Vec<String>,
    /// The rest of the path as sent, without a trailing slash: empty or `/…`.
    pub rest: String,
    /// Whether the path had a superfluous trailing slash.
    pub trailing_slash: bool,
}

/// The kind of a locale prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    None,
    /// `en-us` or `ar-sa`.
    Exact,
    /// A misspelling of one of the two: `ar-SA`, `en_us`.
    Misspelt,
    /// Another language: `fr-fr`.
    Unsupported,
}

impl SitePath {
    /// Reads a raw request path (it begins with `/`).
    pub(crate) fn parse(raw: &str) -> Result<Self, PathError> {
        if !raw.starts_with('/') || raw.contains("//") || raw.contains('\\') {
            return Err(PathError::Forbidden);
        }
        let trimmed = raw.strip_suffix('/').unwrap_or(raw);
        let mut raw_segments = trimmed.split('/').skip(1).collect::<Vec<_>>();
        let mut segments =
            raw_segments.iter().map(|segment| decode(segment)).collect::<Result<Vec<_>, _>>()?;

        let (prefix, locale) = match segments.first() {
            Some(first) => parse_prefix(first),
            None => (Prefix::None, None),
        };
        if prefix != Prefix::None {
            segments.remove(0);
            raw_segments.remove(0);
        }
        let rest = raw_segments.iter().fold(String::new(), |rest, segment| rest + "/" + segment);
        let trailing_slash = raw.len() > 1 && raw.ends_with('/');
        Ok(Self { locale, prefix, segments, rest, trailing_slash })
    }

    /// The locale of a raw path's prefix; the rest of the path need not be valid.
    pub(crate) fn locale_of(raw: &str) -> Option<Locale> {
        parse_prefix(raw.split('/').nth(1)?).1
    }

    /// Whether the path belongs to an app beside this site: `/activitiesr/…` or `/feature/…`, whose locale is in the
    /// query.
    pub(crate) fn is_app_path(&self) -> bool {
        let first = self.segments.first().map(String::as_str);
        self.locale.is_none()
            && self.segments.len() > 1
            && matches!(first, Some("activitiesr" | "feature"))
    }

    /// The path in its canonical encoding: empty for home, else `/…`.
    pub(crate) fn canonical(&self) -> String {
        self.segments.iter().fold(String::new(), |path, segment| {
            path + "/" + &utf8_percent_encode(segment, SEGMENT).to_string()
        })
    }
}

fn decode(segment: &str) -> Result<String, PathError> {
    let text = percent_decoded(segment).map_err(|_| PathError::Malformed)?;
    if text.chars().any(|letter| letter.is_control() || matches!(letter, '/' | '\\')) {
        return Err(PathError::Forbidden);
    }
    Ok(text)
}

/// Percent-decodes strictly.
///
/// # Errors
/// The reason why the text is malformed.
pub(crate) fn percent_decoded(text: &str) -> Result<String, &'static str> {
    let bytes = text.as_bytes();
    let hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let broken =
        bytes.iter().enumerate().any(|(at, byte)| *byte == b'%' && !(hex(at + 1) && hex(at + 2)));
    if broken {
        return Err("has bad percent-encoding");
    }
    match percent_decode_str(text).decode_utf8() {
        Ok(decoded) => Ok(decoded.into_owned()),
        Err(_) => Err("has percent-encoding that is not UTF-8"),
    }
}

fn parse_prefix(segment: &str) -> (Prefix, Option<Locale>) {
    let bytes = segment.as_bytes();
    let shaped = bytes.len() == 5
        && matches!(bytes[2], b'-' | b'_')
        && [0, 1, 3, 4].iter().all(|at| bytes[*at].is_ascii_alphabetic());
    if !shaped {
        return (Prefix::None, None);
    }
    match Locale::parse(segment) {
        Some(locale) if locale.as_str() == segment => (Prefix::Exact, Some(locale)),
        Some(locale) => (Prefix::Misspelt, Some(locale)),
        None => (Prefix::Unsupported, None),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn malformed_and_ambiguous_paths_are_rejected() {
        for (raw, expected) in [
            ("//x", PathError::Forbidden),
            ("/a//b", PathError::Forbidden),
            ("/a\\b", PathError::Forbidden),
            ("/%5Cevil", PathError::Forbidden),
            ("/a%2Fb", PathError::Forbidden),
            ("/a%0ab", PathError::Forbidden),
            ("/%zz", PathError::Malformed),
            ("/%", PathError::Malformed),
            ("/%ff", PathError::Malformed),
        ] {
            assert_eq!(SitePath::parse(raw), Err(expected), "{raw}");
        }
    }

    #[test]
    fn rejected_path_still_names_its_locale() {
        for (raw, expected) in [
            ("/ar-sa/%zz", Some(Locale::ArSa)),
            ("/ar-sa//x", Some(Locale::ArSa)),
            ("/en_US/%0a", Some(Locale::EnUs)),
            ("//ar-sa", None),
            ("/%zz/ar-sa", None),
            ("/fr-fr/%zz", None),
            ("/\u{645}\u{645}-\u{645}", None),
            ("*", None),
            ("", None),
        ] {
            assert_eq!(SitePath::locale_of(raw), expected, "{raw}");
        }
    }

    #[test]
    fn prefixes_and_rest() -> Result<(), PathError> {
        for (raw, prefix, locale, rest, slash) in [
            ("/", Prefix::None, None, "", false),
            ("/en-us", Prefix::Exact, Some(Locale::EnUs), "", false),
            ("/en-us/", Prefix::Exact, Some(Locale::EnUs), "", true),
            ("/ar-SA/news", Prefix::Misspelt, Some(Locale::ArSa), "/news", false),
            ("/fr_FR/news/", Prefix::Unsupported, None, "/news", true),
            ("/news/us", Prefix::None, None, "/news/us", false),
            ("/ar-sa/%6Eews", Prefix::Exact, Some(Locale::ArSa), "/%6Eews", false),
        ] {
            let path = SitePath::parse(raw)?;
            assert_eq!(
                (path.prefix, path.locale, path.rest.as_str(), path.trailing_slash),
                (prefix, locale, rest, slash),
                "{raw}"
            );
        }
        assert_eq!(SitePath::parse("/ar-sa/%6Eews/x y")?.canonical(), "/news/x%20y");
        Ok(())
    }

    proptest! {
        #[test]
        fn canonical_paths_read_back_as_themselves(raw in "(/[^/\\\\]{0,12}){1,4}") {
            if let Ok(path) = SitePath::parse(&raw) {
                let canonical = path.canonical();
                if !canonical.is_empty() && path.prefix != Prefix::None {
                    return Ok(());
                }
                if !canonical.is_empty() {
                    let again = SitePath::parse(&canonical);
                    prop_assert_eq!(again.map(|again| again.segments), Ok(path.segments));
                }
            }
        }
    }
}
