//! Where people are sent: what they asked for without its locale, written in the ways in which
//! servers have got that wrong.

use super::reading::{Request, decoded};

/// The site that it believes to be.
const OWN: &str = "https://www.sahm.test";

/// Parameters that it follows.
const FOLLOWED: [&str; 4] = ["next", "target", "url", "redirect"];

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::attacks) enum Location {
    /// As it was sent: nobody looks where two slashes lead.
    AsSent,
    /// Percent-decoded, and then trusted.
    Decoded,
    /// Decoded by two parts of the way.
    DecodedTwice,
    /// Decoded; of each letter's number the last byte is written.
    Truncated,
    /// Decoded, without control characters, so that no line is made.
    WithoutControls,
    /// Decoded; letters that look like a slash become one.
    Folded,
    /// Decoded, without dots rather than resolved.
    WithoutDots,
    /// Without the parameters of its segments.
    WithoutParameters,
    /// Decoded and put behind the site's own host, with nothing between.
    Joined,
    /// Decoded, without the slash that it begins with.
    Unrooted,
    /// Wherever a parameter says.
    Followed,
    /// On the host that the request names.
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
            // Cut as meant: the last byte of the number.
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

/// `/xx-xx` is taken off.
fn without_locale(target: &str) -> &str {
    let first = target.get(..6).filter(|first| first.as_bytes()[3] == b'-');
    first.map_or(target, |first| &target[first.len()..])
}

fn followed(target: &str) -> Option<String> {
    let (_, query) = target.split_once('?')?;
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.rev().find(|(name, _)| FOLLOWED.contains(name)).map(|(_, value)| decoded(value))
}
