//! Redirects to the requested URL without its locale, with faults that real servers have had.

use super::reading::{Request, decoded};

/// The origin of the server.
const OWN: &str = "https://www.sahm.test";

/// Redirect parameters.
const FOLLOWED: [&str; 4] = ["next", "target", "url", "redirect"];

/// A redirect fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::attacks) enum Location {
    /// The raw target, even if it begins with two slashes.
    AsSent,
    /// Percent-decoded.
    Decoded,
    /// Decoded twice.
    DecodedTwice,
    /// Decoded; each code point is truncated to its last byte.
    Truncated,
    /// Decoded, without control characters.
    WithoutControls,
    /// Decoded; characters that resemble a slash become one.
    Folded,
    /// Decoded; dot segments are removed instead of resolved.
    WithoutDots,
    /// Without the parameters of its segments.
    WithoutParameters,
    /// Decoded and appended to the origin without a separator.
    Joined,
    /// Decoded, without the leading slash.
    Unrooted,
    /// The value of a redirect parameter.
    Followed,
    /// On the host of the request.
    OnHost,
}

impl Location {
    /// The value of the header `location`.
    pub(super) fn written(self, request: &Request) -> Vec<u8> {
        let sent = without_locale(request.target());
        let plain = decoded(sent);
        let rest = plain.trim_start_matches('/');
        let text = match self {
            Self::AsSent => sent.to_owned(),
            Self::Decoded => plain,
            Self::DecodedTwice => decoded(&plain),
            // Truncation to the last byte is intended.
            Self::Truncated => return plain.chars().map(|letter| letter as u32 as u8).collect(),
            Self::WithoutControls => plain.replace(char::is_control, ""),
            Self::Folded => plain
                .replace(['\u{ff0f}', '\u{2044}', '\u{2215}'], "/")
                .replace(['\u{ff3c}', '\u{2216}'], "\\"),
            Self::WithoutDots => plain.replace("..", "").replace("/./", "/"),
            Self::WithoutParameters => {
                let segments = sent.split('/');
                let names = segments.map(|segment| segment.split(';').next().unwrap_or_default());
                names.collect::<Vec<_>>().join("/")
            }
            Self::Joined => format!("{OWN}{rest}"),
            Self::Unrooted => rest.to_owned(),
            Self::Followed => followed(sent).unwrap_or(plain),
            Self::OnHost => format!("http://{}{plain}", request.header("host")),
        };
        text.into_bytes()
    }
}

/// Removes `/xx-xx`.
fn without_locale(target: &str) -> &str {
    let first = target.get(..6).filter(|first| first.as_bytes()[3] == b'-');
    first.map_or(target, |first| &target[first.len()..])
}

fn followed(target: &str) -> Option<String> {
    let (_, query) = target.split_once('?')?;
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.rev().find(|(name, _)| FOLLOWED.contains(name)).map(|(_, value)| decoded(value))
}
