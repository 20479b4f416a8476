//! Parses requests, by the shortest of their possible ends.

pub(super) struct Request {
    /// Head and body.
    pub(super) text: String,
    /// The raw body.
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn target(&self) -> &str {
        self.text.split(' ').nth(1).unwrap_or_default()
    }

    /// The first value of a header; empty if absent.
    pub(super) fn header(&self, name: &str) -> &str {
        self.text
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(own, _)| own.trim().eq_ignore_ascii_case(name))
            .map_or("", |(_, value)| value.trim())
    }
}

/// The first request and its length; `None` while its head or compressed body is incomplete.
pub(super) fn take(bytes: &[u8]) -> Option<(Request, usize)> {
    let at = |end: &[u8]| bytes.windows(end.len()).position(|window| window == end);
    let (end, gap) = match (at(b"\r\n\r\n"), at(b"\n\n")) {
        (Some(end), other) if other.is_none_or(|other| end < other) => (end, 4),
        (_, Some(end)) => (end, 2),
        _ => return None,
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let length = head
        .lines()
        .filter(|line| line.starts_with("content-length:"))
        .filter_map(|line| line.split(':').nth(1)?.trim().trim_start_matches('+').parse().ok())
        // Ends at a last chunk if anything resembles `chunked`.
        .chain(head.contains("chunked").then_some(5))
        .min()
        .unwrap_or(0);
    let begin = end + gap;
    if head.contains("content-encoding:") && bytes.len() < begin + length {
        return None;
    }
    let used = (begin + length).min(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..used]).into_owned();
    Some((Request { text, body: bytes[begin..used].to_vec() }, used))
}

/// Percent-decoded.
pub(super) fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
