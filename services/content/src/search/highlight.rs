//! Highlights matches in the displayed texts.
use super::words::{Word, words};

/// Length of an excerpt before and after its first match, in characters.
const EXCERPT_BEFORE: usize = 60;
const EXCERPT_AFTER: usize = 140;

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
        let from = back(body, first.from);
        let to = forward(body, first.to);
        let mut passage = String::new();
        if from > 0 {
            passage.push('…');
        }
        passage.push_str(body[from..to].trim());
        if to < body.len() {
            passage.push('…');
        }
        self.parts(&passage)
    }
}

/// The start of a word about [`EXCERPT_BEFORE`] characters before a position.
fn back(text: &str, at: usize) -> usize {
    let Some((from, _)) = text[..at].char_indices().rev().nth(EXCERPT_BEFORE) else { return 0 };
    text[from..at].find(' ').map_or(from, |space| from + space + 1)
}

/// The end of a word about [`EXCERPT_AFTER`] characters after a position.
fn forward(text: &str, at: usize) -> usize {
    let Some((to, _)) = text[at..].char_indices().nth(EXCERPT_AFTER) else { return text.len() };
    text[at..at + to].rfind(' ').map_or(at + to, |space| at + space)
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
