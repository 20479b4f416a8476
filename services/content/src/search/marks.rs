//! Finds what matched in the texts that are shown.
use super::words::{Word, is_near, words};

/// How much of a passage stands before its first match, and after it, in characters.
const BEFORE: usize = 60;
const AFTER: usize = 140;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As it stands there.
    pub text: String,
    /// Whether it matched.
    pub hit: bool,
}

/// What words of a text matched.
#[derive(Clone, Debug, Default)]
pub(super) struct Sought {
    /// Stems that match.
    pub stems: Vec<String>,
    /// Stems that match one after another.
    pub phrases: Vec<Vec<String>>,
    /// The start of a word, as normal form and stem.
    pub start: Option<(String, String)>,
    /// Words that match although one letter differs.
    pub near: Vec<(String, String)>,
}

impl Sought {
    fn is_hit(&self, word: &Word) -> bool {
        let starts = |(normal, stem): &(String, String)| {
            word.normal.starts_with(normal.as_str()) || word.stem.starts_with(stem.as_str())
        };
        let near = |(normal, stem): &(String, String)| {
            is_near(&word.normal, normal) || is_near(&word.stem, stem)
        };
        self.stems.contains(&word.stem)
            || self.start.as_ref().is_some_and(starts)
            || self.near.iter().any(near)
    }

    /// The words that matched.
    fn hits(&self, text: &str) -> Vec<Word> {
        let found = words(text);
        let mut hits: Vec<bool> = found.iter().map(|word| self.is_hit(word)).collect();
        for phrase in &self.phrases {
            for (at, run) in found.windows(phrase.len().max(1)).enumerate() {
                if run.iter().map(|word| &word.stem).eq(phrase) {
                    hits[at..at + run.len()].fill(true);
                }
            }
        }
        found.into_iter().zip(hits).filter_map(|(word, hit)| hit.then_some(word)).collect()
    }

    /// The text in pieces.
    pub(super) fn parts(&self, text: &str) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut at = 0;
        let mut push = |text: &str, hit: bool| match parts.last_mut() {
            Some(last) if last.hit == hit => last.text.push_str(text),
            _ if text.is_empty() => {}
            _ => parts.push(Part { text: text.to_owned(), hit }),
        };
        for word in self.hits(text) {
            push(&text[at..word.from], false);
            push(&text[word.from..word.to], true);
            at = word.to;
        }
        push(&text[at..], false);
        parts
    }

    /// The summary in pieces; where nothing of it matched, the passage of the text that does.
    pub(super) fn excerpt(&self, summary: &str, body: &str) -> Vec<Part> {
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

/// The start of a word about [`BEFORE`] characters before a place.
fn back(text: &str, at: usize) -> usize {
    let Some((from, _)) = text[..at].char_indices().rev().nth(BEFORE) else { return 0 };
    text[from..at].find(' ').map_or(from, |space| from + space + 1)
}

/// The end of a word about [`AFTER`] characters after a place.
fn forward(text: &str, at: usize) -> usize {
    let Some((to, _)) = text[at..].char_indices().nth(AFTER) else { return text.len() };
    text[at..at + to].rfind(' ').map_or(at + to, |space| at + space)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sought(stem: &str) -> Sought {
        Sought { stems: vec![stem.into()], ..Sought::default() }
    }

    fn shown(parts: &[Part]) -> String {
        let part = |part: &Part| {
            if part.hit { format!("[{}]", part.text) } else { part.text.clone() }
        };
        parts.iter().map(part).collect()
    }

    #[test]
    fn matches_are_marked_as_written() {
        assert_eq!(shown(&sought("fee").parts("Fees, and a fee.")), "[Fees], and a [fee].");
        assert_eq!(shown(&sought("سهم").parts("ما السَّهم؟")), "ما [السَّهم]؟");
        let start = Sought { start: Some(("comm".into(), "comm".into())), ..Sought::default() };
        assert_eq!(shown(&start.parts("Commission")), "[Commission]");
        let near =
            Sought { near: vec![("comission".into(), "comission".into())], ..Sought::default() };
        assert_eq!(shown(&near.parts("<b>Commission</b>")), "<b>[Commission]</b>");
    }

    #[test]
    fn words_of_a_phrase_are_marked_together_only() {
        let phrase = vec![vec!["top".into(), "up".into()]];
        let top_up = Sought { phrases: phrase, ..Sought::default() };
        assert_eq!(shown(&top_up.parts("Top up, sign up: top.")), "[Top] [up], sign up: top.");
        assert_eq!(
            shown(&top_up.excerpt("Up.", "Sign up, then top up.")),
            "Sign up, then [top] [up]."
        );
    }

    #[test]
    fn the_passage_that_matched_is_shown() {
        let body = format!("{} fee {}", "before ".repeat(30), "after ".repeat(60));
        let passage = shown(&sought("fee").excerpt("Nothing.", &body));
        assert!(passage.starts_with("…before") && passage.ends_with("after…"), "{passage}");
        assert!(passage.contains("[fee]") && passage.chars().count() < 260);
        assert_eq!(shown(&sought("x").excerpt("Nothing.", &body)), "Nothing.");
    }

    proptest! {
        #[test]
        fn parts_are_the_text(text in "([a-c]{1,3}|سهم|أسهم|\\PC| ){0,30}") {
            let sought = Sought { start: Some(("a".into(), "a".into())), ..sought("سهم") };
            let parts = sought.parts(&text);
            prop_assert_eq!(parts.iter().map(|part| part.text.as_str()).collect::<String>(), text.clone());
            sought.excerpt("", &text);
        }
    }
}
