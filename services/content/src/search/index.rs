//! In-memory search index.
use std::{
    collections::HashMap,
    ops::Bound,
    sync::{Arc, Mutex},
};

use arc_swap::ArcSwap;
use sahm_chassis::{Error, Result};
use tantivy::{
    DocId, Index, IndexReader, IndexWriter, ReloadPolicy, Score, Searcher, SegmentReader,
    TantivyDocument, Term,
    collector::{Count, TopDocs},
    query::{
        BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, FuzzyTermQuery, Occur,
        PhraseQuery, Query, RangeQuery, TermQuery,
    },
    schema::{
        FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing,
        TextOptions, Value,
    },
    tokenizer::{PreTokenizedString, Token},
};

use super::{
    SearchQuery,
    highlight::Highlighter,
    indexed_document::IndexedDocument,
    synonyms::Thesaurus,
    words::{Word, is_near, is_stop, words},
};
use crate::domain::{EntryKind, SearchDocument};

/// Memory budget of the index writer in bytes; the minimum that tantivy accepts.
const INDEX_WRITER_BYTES: usize = 15_000_000;
/// Maximum number of words in a query.
const MAX_WORDS: usize = 16;
/// Minimum length of an unknown word for spelling correction.
const MIN_CORRECTED_LETTERS: usize = 4;
const MAX_CORRECTIONS: usize = 4;
/// Weight of a synonym match, relative to an exact match.
const SYNONYM_WEIGHT: f32 = 0.7;
/// Weight of a match with a spelling correction.
const CORRECTION_WEIGHT: f32 = 0.5;
/// Score of a prefix match; lower than that of an exact match.
const PREFIX_SCORE: f32 = 0.4;
/// Share of the weaker variants' scores that is added to the best score in a field.
const TIE_BREAKER: f32 = 0.1;
/// Factor on the score of documents that are common questions.
const COMMON_FACTOR: f32 = 1.2;

/// The search index. Its methods block and must not run on the async runtime.
pub(super) struct PageIndex {
    fields: Fields,
    writer: Mutex<Writer>,
    reader: IndexReader,
    /// The committed documents.
    documents: ArcSwap<Documents>,
}

struct Writer {
    index: IndexWriter,
    documents: Documents,
}

/// Documents by key, one per locale.
type Documents = HashMap<String, Vec<Arc<IndexedDocument>>>;

struct Fields {
    key: Field,
    locale: Field,
    kind: Field,
    common: Field,
    published_at: Field,
    title: Field,
    keywords: Field,
    summary: Field,
    body: Field,
}

pub(super) struct SearchResults {
    pub documents: Vec<Arc<IndexedDocument>>,
    pub total: usize,
    pub highlighter: Highlighter,
}

impl PageIndex {
    pub(super) fn new() -> Result<Self> {
        let mut schema = Schema::builder();
        let text = TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer("raw")
                .set_index_option(IndexRecordOption::WithFreqsAndPositions),
        );
        let fields = Fields {
            key: schema.add_text_field("key", STRING | STORED),
            locale: schema.add_text_field("locale", STRING),
            kind: schema.add_text_field("kind", STRING),
            common: schema.add_u64_field("common", FAST),
            published_at: schema.add_u64_field("published_at", INDEXED | FAST),
            title: schema.add_text_field("title", text.clone()),
            keywords: schema.add_text_field("keywords", text.clone()),
            summary: schema.add_text_field("summary", text.clone()),
            body: schema.add_text_field("body", text),
        };
        let index = Index::create_in_ram(schema.build());
        let writer =
            index.writer_with_num_threads(1, INDEX_WRITER_BYTES).map_err(Error::internal)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader = reader.try_into().map_err(Error::internal)?;
        let writer = Mutex::new(Writer { index: writer, documents: Documents::new() });
        Ok(Self { fields, writer, reader, documents: ArcSwap::default() })
    }

    /// Deletes all documents; visible after [`PageIndex::commit`].
    pub(super) fn clear(&self) -> Result<()> {
        let mut writer = self.writer()?;
        writer.documents.clear();
        // Deleting all documents keeps those that were added since the last commit.
        writer.index.rollback().map_err(Error::internal)?;
        writer.index.delete_all_documents().map_err(Error::internal)?;
        Ok(())
    }

    /// Deletes items in all locales.
    pub(super) fn remove(&self, items: &[(EntryKind, u64)]) -> Result<()> {
        let mut writer = self.writer()?;
        for &(kind, id) in items {
            let key = key(kind, id);
            writer.index.delete_term(Term::from_field_text(self.fields.key, &key));
            writer.documents.remove(&key);
        }
        Ok(())
    }

    pub(super) fn add(&self, texts: &[SearchDocument]) -> Result<()> {
        let mut writer = self.writer()?;
        for text in texts {
            writer.index.add_document(self.document(text)).map_err(Error::internal)?;
            let of_item = writer.documents.entry(key(text.kind, text.id)).or_default();
            of_item.push(Arc::new(IndexedDocument::new(text)));
        }
        Ok(())
    }

    /// Makes additions and deletions visible.
    pub(super) fn commit(&self) -> Result<()> {
        let mut writer = self.writer()?;
        writer.index.commit().map_err(Error::internal)?;
        self.documents.store(Arc::new(writer.documents.clone()));
        self.reader.reload().map_err(Error::internal)
    }

    fn writer(&self) -> Result<std::sync::MutexGuard<'_, Writer>> {
        self.writer.lock().map_err(|_| Error::internal("the lock of the index writer is poisoned"))
    }

    fn document(&self, text: &SearchDocument) -> TantivyDocument {
        let fields = &self.fields;
        let mut document = TantivyDocument::new();
        document.add_text(fields.key, key(text.kind, text.id));
        document.add_text(fields.locale, text.locale.as_str());
        document.add_text(fields.kind, text.kind.as_str());
        document.add_u64(fields.common, text.common.into());
        document.add_u64(fields.published_at, text.published_at.into());
        document.add_pre_tokenized_text(fields.title, tokens(&text.title));
        document.add_pre_tokenized_text(fields.keywords, tokens(&text.keywords.join("  ")));
        document.add_pre_tokenized_text(fields.summary, tokens(&text.summary));
        document.add_pre_tokenized_text(fields.body, tokens(&text.body()));
        document
    }

    pub(super) fn search(
        &self,
        query: &SearchQuery,
        offset: usize,
        now: u32,
        thesaurus: &Thesaurus,
    ) -> Result<SearchResults> {
        let searcher = self.reader.searcher();
        let mut query_words = words(&query.keyword);
        if query_words.iter().any(|word| !is_stop(&word.normal)) {
            query_words.retain(|word| !is_stop(&word.normal));
        }
        query_words.truncate(MAX_WORDS);
        let mut highlighter = Highlighter::default();
        let clauses = self.clauses(&searcher, &query_words, thesaurus, &mut highlighter)?;
        if clauses.is_empty() {
            return Ok(SearchResults { documents: Vec::new(), total: 0, highlighter });
        }
        let all: Vec<_> = clauses.iter().map(|one| (Occur::Must, one.box_clone())).collect();
        let found = self.run(&searcher, query, offset, now, all, highlighter.clone())?;
        if found.total > 0 || clauses.len() == 1 {
            return Ok(found);
        }
        let any: Vec<_> = clauses.into_iter().map(|one| (Occur::Should, one)).collect();
        self.run(&searcher, query, offset, now, any, highlighter)
    }

    fn run(
        &self,
        searcher: &Searcher,
        query: &SearchQuery,
        offset: usize,
        now: u32,
        clauses: Vec<(Occur, Box<dyn Query>)>,
        highlighter: Highlighter,
    ) -> Result<SearchResults> {
        let fields = &self.fields;
        let exact = |field, text: &str| -> Box<dyn Query> {
            let term = Term::from_field_text(field, text);
            Box::new(TermQuery::new(term, IndexRecordOption::Basic))
        };
        let silent = |query: Box<dyn Query>| -> Box<dyn Query> {
            Box::new(ConstScoreQuery::new(query, 0.0))
        };
        let until = Term::from_field_u64(fields.published_at, now.into());
        let shown = RangeQuery::new(Bound::Unbounded, Bound::Included(until));
        let mut all: Vec<(Occur, Box<dyn Query>)> = vec![
            (Occur::Must, Box::new(BooleanQuery::new(clauses))),
            (Occur::Must, silent(exact(fields.locale, query.locale.as_str()))),
            (Occur::Must, silent(Box::new(shown))),
        ];
        if !query.kinds.is_empty() {
            let kinds = query.kinds.iter().map(|kind| (Occur::Should, exact(fields.kind, kind)));
            let kinds = BooleanQuery::new(kinds.collect());
            all.push((Occur::Must, silent(Box::new(kinds))));
        }
        let top = TopDocs::with_limit(query.size as usize).and_offset(offset);
        let top = top.tweak_score(|segment: &SegmentReader| {
            let common = segment.fast_fields().u64("common").ok();
            move |document: DocId, score: Score| {
                let is_common =
                    common.as_ref().and_then(|column| column.first(document)) == Some(1);
                if is_common { score * COMMON_FACTOR } else { score }
            }
        });
        let (top, total) =
            searcher.search(&BooleanQuery::new(all), &(top, Count)).map_err(Error::internal)?;
        let committed = self.documents.load();
        let mut documents = Vec::with_capacity(top.len());
        for (_, address) in top {
            let stored: TantivyDocument = searcher.doc(address).map_err(Error::internal)?;
            let key = stored.get_first(fields.key).and_then(|value| value.as_str());
            // A commit since the search may have removed it.
            let of_item = key.and_then(|key| committed.get(key)).into_iter().flatten();
            documents.extend(of_item.filter(|one| one.document.locale == query.locale).cloned());
        }
        Ok(SearchResults { documents, total, highlighter })
    }

    /// A clause for each word, or for the words that form one term of the thesaurus.
    fn clauses(
        &self,
        searcher: &Searcher,
        words: &[Word],
        thesaurus: &Thesaurus,
        highlighter: &mut Highlighter,
    ) -> Result<Vec<Box<dyn Query>>> {
        let mut clauses: Vec<Box<dyn Query>> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let (length, synonyms) = thesaurus.longest(&words[at..]);
            let own = &words[at..at + length];
            at += length;
            let mut variants = weighted(synonyms, SYNONYM_WEIGHT);
            let mut prefix = None;
            if let [word] = own {
                let last = at == words.len();
                prefix = Some(word).filter(|word| last && is_open(word));
                if !is_stop(&word.normal) {
                    variants.push((vec![word.stem.clone()], 1.0));
                    highlighter.stems.push(word.stem.clone());
                }
                if synonyms.is_empty() && !self.is_known(searcher, word, prefix.is_some())? {
                    for corrected in self.corrections(searcher, word)? {
                        let (_, synonyms) = thesaurus.longest(std::slice::from_ref(&corrected));
                        variants.extend(weighted(synonyms, SYNONYM_WEIGHT * CORRECTION_WEIGHT));
                        highlighter.stems.push(corrected.stem.clone());
                        variants.push((vec![corrected.stem], CORRECTION_WEIGHT));
                    }
                }
            }
            let mut clause = self.in_fields(&variants, prefix);
            if let Some(prefix) = prefix {
                highlighter.prefix = Some(prefix.normal.clone());
            }
            if own.len() > 1 {
                let every = own.iter().enumerate().map(|(index, word)| {
                    let last = at == words.len() && index + 1 == own.len();
                    highlighter.stems.push(word.stem.clone());
                    let variants = [(vec![word.stem.clone()], 1.0)];
                    let query = self.in_fields(&variants, Some(word).filter(|_| last));
                    (Occur::Must, Box::new(BooleanQuery::new(query)) as Box<dyn Query>)
                });
                clause.push((Occur::Should, Box::new(BooleanQuery::new(every.collect()))));
            }
            clauses.push(Box::new(BooleanQuery::new(clause)));
        }
        Ok(clauses)
    }

    /// The searched fields and their weights.
    fn texts(&self) -> [(Field, f32); 4] {
        let fields = &self.fields;
        [(fields.title, 4.0), (fields.keywords, 3.0), (fields.summary, 2.0), (fields.body, 1.0)]
    }

    /// Matches the variants of a word or term, and words with the prefix, in each field. A field's
    /// score is that of its best variant.
    fn in_fields(
        &self,
        variants: &[(Vec<String>, f32)],
        prefix: Option<&Word>,
    ) -> Vec<(Occur, Box<dyn Query>)> {
        let in_field = |(field, weight): (Field, f32)| {
            let mut queries: Vec<Box<dyn Query>> = variants
                .iter()
                .map(|(stems, of_variant)| boosted(phrase(field, stems), weight * of_variant))
                .collect();
            let forms = prefix.map(|word| [&word.normal, &word.stem]);
            queries.extend(forms.iter().flatten().map(|form| {
                let term = Term::from_field_text(field, form);
                let query = FuzzyTermQuery::new_prefix(term, 0, true);
                boosted(Box::new(query), weight * PREFIX_SCORE)
            }));
            let best = DisjunctionMaxQuery::with_tie_breaker(queries, TIE_BREAKER);
            (Occur::Should, Box::new(best) as Box<dyn Query>)
        };
        self.texts().map(in_field).into()
    }

    /// Whether any text contains the word or, for a prefix, a word that begins with it.
    fn is_known(&self, searcher: &Searcher, word: &Word, is_prefix: bool) -> Result<bool> {
        for (field, _) in self.texts() {
            let term = Term::from_field_text(field, &word.stem);
            if searcher.doc_freq(&term).map_err(Error::internal)? > 0 {
                return Ok(true);
            }
            for segment in searcher.segment_readers().iter().filter(|_| is_prefix) {
                let index = segment.inverted_index(field).map_err(Error::internal)?;
                let from = index.terms().range().ge(&word.normal);
                let mut terms = from.into_stream().map_err(Error::internal)?;
                if terms.advance() && terms.key().starts_with(word.normal.as_bytes()) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Corrections of an unknown word: indexed words at an edit distance of one, the most frequent
    /// first, with the same first letter if there are any.
    fn corrections(&self, searcher: &Searcher, word: &Word) -> Result<Vec<Word>> {
        let is_number = word.normal.contains(|c: char| c.is_ascii_digit());
        if is_number || word.normal.chars().count() < MIN_CORRECTED_LETTERS {
            return Ok(Vec::new());
        }
        let mut frequencies: HashMap<String, u32> = HashMap::new();
        for (field, _) in self.texts() {
            for segment in searcher.segment_readers() {
                let index = segment.inverted_index(field).map_err(Error::internal)?;
                let mut terms = index.terms().stream().map_err(Error::internal)?;
                while terms.advance() {
                    let Ok(term) = std::str::from_utf8(terms.key()) else { continue };
                    if is_near(term, &word.normal) {
                        *frequencies.entry(term.to_owned()).or_default() += terms.value().doc_freq;
                    }
                }
            }
        }
        let first = word.normal.chars().next();
        if frequencies.keys().any(|term| term.chars().next() == first) {
            frequencies.retain(|term, _| term.chars().next() == first);
        }
        let mut terms: Vec<(String, u32)> = frequencies.into_iter().collect();
        terms.sort_by(|(a, frequency), (b, other)| other.cmp(frequency).then(a.cmp(b)));
        let mut corrections: Vec<Word> = Vec::new();
        for corrected in terms.iter().flat_map(|(term, _)| words(term)) {
            if corrections.iter().all(|known| known.stem != corrected.stem) {
                corrections.push(corrected);
            }
        }
        corrections.truncate(MAX_CORRECTIONS);
        Ok(corrections)
    }
}

fn weighted(terms: &[Vec<String>], weight: f32) -> Vec<(Vec<String>, f32)> {
    terms.iter().map(|stems| (stems.clone(), weight)).collect()
}

/// Phrase query: adjacent stems in a field.
fn phrase(field: Field, stems: &[String]) -> Box<dyn Query> {
    let terms: Vec<Term> = stems.iter().map(|stem| Term::from_field_text(field, stem)).collect();
    match <[Term; 1]>::try_from(terms) {
        Ok([term]) => Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
        Err(terms) => Box::new(PhraseQuery::new(terms)),
    }
}

/// Whether the word is also searched for as a prefix.
fn is_open(word: &Word) -> bool {
    word.normal.chars().count() >= 2
}

fn boosted(query: Box<dyn Query>, weight: f32) -> Box<dyn Query> {
    Box::new(BoostQuery::new(query, weight))
}

/// The key of an item in the index, for all locales.
fn key(kind: EntryKind, id: u64) -> String {
    format!("{}:{id}", kind.collection())
}

/// Tokenises a text: each word and its stem at one position.
fn tokens(text: &str) -> PreTokenizedString {
    let mut tokens = Vec::new();
    for (position, word) in words(text).into_iter().enumerate() {
        let token = |text: String| Token {
            offset_from: word.from,
            offset_to: word.to,
            position,
            text,
            position_length: 1,
        };
        if word.normal != word.stem {
            tokens.push(token(word.normal.clone()));
        }
        tokens.push(token(word.stem.clone()));
    }
    PreTokenizedString { text: String::new(), tokens }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::domain::Locale;

    #[test]
    fn uncommitted_documents_are_cleared_too() {
        let index = PageIndex::new().unwrap();
        let document = SearchDocument {
            kind: EntryKind::HelpDocument,
            id: 1,
            locale: Locale::EnUs,
            slug: "deposit".to_owned(),
            title: "Deposit".to_owned(),
            summary: String::new(),
            keywords: Vec::new(),
            body_html: String::new(),
            parent: 0,
            published_at: 0,
            common: false,
        };
        index.add(std::slice::from_ref(&document)).unwrap();
        // A rebuild that failed before its commit is repeated.
        index.clear().unwrap();
        index.add(&[document]).unwrap();
        index.commit().unwrap();
        let query = SearchQuery {
            keyword: "deposit".to_owned(),
            locale: Locale::EnUs,
            kinds: vec![EntryKind::HelpDocument.as_str().to_owned()],
            size: 10,
            after: None,
        };
        let found = index.search(&query, 0, 1, &Thesaurus::of(&[])).unwrap();
        assert_eq!((found.total, found.documents.len()), (1, 1));
    }
}
