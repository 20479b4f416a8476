//! Splits sanitised HTML into tags and texts: `<` and `>` occur only around tags.

/// Inline elements: letters on both sides of their tags form one word.
const INLINE_TAGS: [&str; 19] = [
    "a", "strong", "em", "b", "i", "s", "del", "ins", "mark", "small", "sub", "sup", "abbr",
    "time", "bdi", "span", "q", "cite", "code",
];

/// A tag with its angle brackets, or the text before the next tag.
pub(crate) enum Piece<'h> {
    Tag(&'h str),
    Text(&'h str),
}

/// All pieces in order.
pub(crate) fn pieces(html: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let end = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        if start > 0 {
            pieces.push(Piece::Text(&rest[..start]));
        }
        pieces.push(Piece::Tag(&rest[start..end]));
        rest = &rest[end..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// The next text in the same line.
pub(crate) fn beside<'p, 'h: 'p>(
    pieces: impl Iterator<Item = &'p Piece<'h>> + Clone,
) -> Option<&'h str> {
    line(pieces).next()
}

/// The texts in the same line, nearest first.
pub(crate) fn line<'p, 'h: 'p>(
    pieces: impl Iterator<Item = &'p Piece<'h>> + Clone,
) -> impl Iterator<Item = &'h str> + Clone {
    let within = |piece: &&Piece<'_>| match piece {
        Piece::Text(_) => true,
        Piece::Tag(tag) => is_inline(tag),
    };
    pieces.take_while(within).filter_map(|piece| match piece {
        Piece::Text(text) => Some(*text),
        Piece::Tag(_) => None,
    })
}

/// Whether the words on both sides of a tag are in one line.
pub(crate) fn is_inline(tag: &str) -> bool {
    INLINE_TAGS.contains(&name_of(tag))
}

/// Escapes a text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

pub(crate) fn name_of(tag: &str) -> &str {
    let name = tag.trim_start_matches(['<', '/']);
    name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
}
