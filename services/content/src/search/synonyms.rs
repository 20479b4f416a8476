use std::collections::HashMap;

use super::words::{Word, words};
use crate::domain::{Entry, EntryData};

/// Maximum number of words in a term.
const MAX_TERM_WORDS: usize = 4;

/// Groups of synonymous terms, each a list of stems.
#[derive(Clone, Debug, Default)]
pub(super) struct Thesaurus {
    terms: HashMap<Vec<String>, Vec<Vec<String>>>,
}

impl Thesaurus {
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut terms: HashMap<Vec<String>, Vec<Vec<String>>> = HashMap::new();
        for entry in entries {
            let EntryData::SearchSynonyms(group) = &entry.data else { continue };
            let stems: Vec<Vec<String>> = group
                .terms
                .iter()
                .map(|term| words(term).into_iter().map(|word| word.stem).collect())
                .filter(|stems: &Vec<String>| (1..=MAX_TERM_WORDS).contains(&stems.len()))
                .collect();
            for stem in &stems {
                let others = terms.entry(stem.clone()).or_default();
                for other in stems.iter().filter(|other| *other != stem) {
                    if !others.contains(other) {
                        others.push(other.clone());
                    }
                }
            }
        }
        Self { terms }
    }

    /// The number of leading words that form the longest term, and its synonyms.
    pub(super) fn longest(&self, words: &[Word]) -> (usize, &[Vec<String>]) {
        for length in (1..=MAX_TERM_WORDS.min(words.len())).rev() {
            let stems: Vec<String> = words[..length].iter().map(|word| word.stem.clone()).collect();
            if let Some(others) = self.terms.get(&stems) {
                return (length, others);
            }
        }
        (1, &[])
    }
}
