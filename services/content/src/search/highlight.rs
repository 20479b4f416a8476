//! Highlights matches in the displayed texts.
use super::words::{Word, words};

/// Length of an excerpt before and after its first match, in characters, if it cuts sentences.
const EXCERPT_BEFORE: usize = 60;
const EXCERPT_AFTER: usize = 140;
/// Maximum distance from the first match to the beginning of its sentence, in characters.
const MAX_SENTENCE_BEFORE: usize = 120;
/// Minimum distance from the first match to the end of a sentence that ends the excerpt.
const MIN_SENTENCE_AFTER: usize = 60;
const SENTENCE_ENDS: [char; 4] = ['.', '!', '?', '؟'];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    pub text: String,
    pub hit: bool,
}

/// Determines which words of a text are highlighted: the query's words in all their forms and their
/// corrections, but not synonyms.
#[derive(Clone, Debug, Default)]
pub(super) struct Highlighter {
    /// Matching stems.
    pub stems: Vec<String>,
    /// Normalised prefix of matching words.
    pub prefix: Option<String>,
}

impl Highlighter {
    fn is_hit(&self, word: &Word) -> bool {
        self.stems.contains(&word.stem)
            || self.prefix.as_ref().is_some_and(|prefix| word.normal.starts_with(prefix))
    }

    fn hits(&self, text: &str) -> Vec<Word> {
        words(text).into_iter().filter(|word| self.is_hit(word)).collect()
    }

    pub(super) fn parts(&self, text: &str) -> Vec<TextPart> {
        let mut parts: Vec<TextPart> = Vec::new();
        let mut at = 0;
        let mut push = |text: &str, hit: bool| match parts.last_mut() {
            Some(last) if last.hit == hit => last.text.push_str(text),
            _ if text.is_empty() => {}
            _ => parts.push(TextPart { text: text.to_owned(), hit }),
        };
        for word in self.hits(text) {
            push(&text[at..word.from], false);
            push(&text[word.from..word.to], true);
            at = word.to;
        }
        push(&text[at..], false);
        parts
    }

    /// The highlighted summary, or a highlighted passage of the text if the summary has no match.
    pub(super) fn excerpt(&self, summary: &str, body: &str) -> Vec<TextPart> {
        let parts = self.parts(summary);
        if parts.iter().any(|part| part.hit) {
            return parts;
        }
        let found = self.hits(body);
        let Some(first) = found.first() else { return parts };
        let (from, cuts_before) = start(body, first.from);
        let (to, cuts_after) = end(body, first.to);
        let ellipsis = |cuts| if cuts { "…" } else { "" };
        let passage = body[from..to].trim();
        let passage = format!("{}{passage}{}", ellipsis(cuts_before), ellipsis(cuts_after));
        self.parts(&passage)
    }
}

/// The start of an excerpt, and whether it cuts a sentence: the beginning of the sentence if it is
/// near the match, otherwise the start of a word about [`EXCERPT_BEFORE`] characters before it.
fn start(text: &str, at: usize) -> (usize, bool) {
    let before = |count| text[..at].char_indices().rev().nth(count).map_or(0, |(from, _)| from);
    let near = before(MAX_SENTENCE_BEFORE);
    if let Some((space, _)) =
        text[near..at].rmatch_indices(' ').find(|(space, _)| ends(&text[..near + space]))
    {
        return (near + space + 1, false);
    }
    if near == 0 {
        return (0, false);
    }
    let from = before(EXCERPT_BEFORE);
    (text[from..at].find(' ').map_or(from, |space| from + space + 1), true)
}

/// The end of an excerpt, and whether it cuts a sentence: the end of a sentence, otherwise the end
/// of a word about [`EXCERPT_AFTER`] characters after the match.
fn end(text: &str, at: usize) -> (usize, bool) {
    let after = |count| text[at..].char_indices().nth(count).map(|(to, _)| at + to);
    let Some(to) = after(EXCERPT_AFTER) else { return (text.len(), false) };
    let least = after(MIN_SENTENCE_AFTER).unwrap_or(at);
    if let Some((space, _)) =
        text[least..to].rmatch_indices(' ').find(|(space, _)| ends(&text[..least + space]))
    {
        return (least + space, false);
    }
    let to = text[at..to].rfind(' ').map_or(to, |space| at + space);
    (to, !ends(&text[..to]))
}

/// Whether a text ends with the end of a sentence.
fn ends(text: &str) -> bool {
    text.ends_with(SENTENCE_ENDS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn highlighter(stem: &str) -> Highlighter {
        Highlighter { stems: vec![stem.into()], ..Highlighter::default() }
    }

    fn shown(parts: &[TextPart]) -> String {
        let part = |part: &TextPart| {
            if part.hit { format!("[{}]", part.text) } else { part.text.clone() }
        };
        parts.iter().map(part).collect()
    }

    #[test]
    fn matches_are_highlighted_in_their_original_form() {
        assert_eq!(shown(&highlighter("fee").parts("Fees, and a fee.")), "[Fees], and a [fee].");
        assert_eq!(shown(&highlighter("سهم").parts("ما السَّهم؟")), "ما [السَّهم]؟");
        let prefix = Highlighter { prefix: Some("comm".into()), ..Highlighter::default() };
        assert_eq!(shown(&prefix.parts("<b>Commission</b>")), "<b>[Commission]</b>");
        let fees = Highlighter { prefix: Some("fees".into()), ..highlighter("fee") };
        assert_eq!(shown(&fees.parts("Fees, feedback")), "[Fees], feedback");
    }

    #[test]
    fn excerpt_is_the_matching_passage() {
        let body = format!("{} fee {}", "before ".repeat(30), "after ".repeat(60));
        let passage = shown(&highlighter("fee").excerpt("Nothing.", &body));
        assert!(passage.starts_with("…before") && passage.ends_with("after…"), "{passage}");
        assert!(passage.contains("[fee]") && passage.chars().count() < 260);
        assert_eq!(shown(&highlighter("x").excerpt("Nothing.", &body)), "Nothing.");
    }

    #[test]
    fn excerpt_begins_and_ends_with_nearby_sentences() {
        let other = "Another sentence of some words. ".repeat(8);
        let body = format!("{other}The rate of the fee is 1.5 percent? {other}");
        let passage = shown(&highlighter("fee").excerpt("Nothing.", &body));
        assert!(passage.starts_with("The rate of the [fee] is 1.5 percent? Another"), "{passage}");
        assert!(passage.ends_with("of some words."), "{passage}");
    }

    proptest! {
        #[test]
        fn parts_concatenate_to_the_text(text in "([a-c]{1,3}|سهم|أسهم|\\PC| ){0,30}") {
            let highlighter = Highlighter { prefix: Some("a".into()), ..highlighter("سهم") };
            let parts = highlighter.parts(&text);
            prop_assert_eq!(parts.iter().map(|part| part.text.as_str()).collect::<String>(), text.clone());
            highlighter.excerpt("", &text);
        }
    }
}
