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

/// Replaces the texts of sanitised HTML. `replace` receives a text, the character before it in its
/// line, the pieces after it, and whether it is within one of the elements `verbatim_tags`.
pub(crate) fn replace_texts(
    html: &str,
    verbatim_tags: &[&str],
    mut replace: impl FnMut(&str, Option<char>, &[Piece<'_>], bool) -> String,
) -> String {
    let pieces = pieces(html);
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut depth = 0_usize;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Tag(tag) => {
                if verbatim_tags.contains(&name_of(tag)) {
                    let is_end = tag.starts_with("</");
                    depth = if is_end { depth.saturating_sub(1) } else { depth + 1 };
                }
                out.push_str(tag);
            }
            Piece::Text(text) => {
                let before = line(pieces[..at].iter().rev()).next();
                let before = before.and_then(|text| text.chars().last());
                out.push_str(&replace(text, before, &pieces[at + 1..], depth > 0));
            }
        }
    }
    out
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
