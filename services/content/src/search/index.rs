//! The index: what can be found, kept in memory.
use std::{ops::Bound, sync::Mutex};

use sahm_chassis::{Error, Result};
use tantivy::{
    Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term,
    collector::{Count, TopDocs},
    query::{
        BooleanQuery, BoostQuery, ConstScoreQuery, FuzzyTermQuery, Occur, PhraseQuery, Query,
        RangeQuery, TermQuery,
    },
    schema::{
        FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing,
        TextOptions, Value,
    },
    tokenizer::{PreTokenizedString, Token},
};

use super::{
    marks::Sought,
    page::{Page, Source, key},
    synonyms::Thesaurus,
    words::{Word, is_stop, words},
};
use crate::domain::Locale;

/// What the writer may hold before it writes a segment, in bytes; the least that the library
/// takes.
const WRITER_BYTES: usize = 15_000_000;
/// The most words of a keyword that are looked at.
const WORDS_MAX: usize = 16;
/// A word of so many letters is also found with one of them wrong.
const NEAR_LETTERS: usize = 4;
/// How much a match counts that is a synonym, the start of a word, or has one letter wrong.
const SYNONYM: f32 = 0.7;
const START: f32 = 0.4;
const NEAR: f32 = 0.2;
/// What a common question has before others of its like.
const COMMON: f32 = 2.0;

/// The index. Its calls take a while: use them where blocking does no harm.
pub(super) struct PageIndex {
    fields: Fields,
    writer: Mutex<IndexWriter>,
    reader: IndexReader,
}

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

/// What is sought, judged.
pub(super) struct Question<'a> {
    pub keyword: &'a str,
    pub locale: Locale,
    pub kinds: &'a [String],
    pub offset: usize,
    pub size: usize,
    pub now: u32,
}

/// What was found, best first.
pub(super) struct Found {
    pub pages: Vec<(Source, u64)>,
    pub total: usize,
    pub sought: Sought,
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
            common: schema.add_u64_field("common", INDEXED),
            published_at: schema.add_u64_field("published_at", INDEXED | FAST),
            title: schema.add_text_field("title", text.clone()),
            keywords: schema.add_text_field("keywords", text.clone()),
            summary: schema.add_text_field("summary", text.clone()),
            body: schema.add_text_field("body", text),
        };
        let index = Index::create_in_ram(schema.build());
        let writer = index.writer_with_num_threads(1, WRITER_BYTES).map_err(Error::internal)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader = reader.try_into().map_err(Error::internal)?;
        Ok(Self { fields, writer: Mutex::new(writer), reader })
    }

    /// Takes all out; nothing of it shows before [`PageIndex::commit`].
    pub(super) fn clear(&self) -> Result<()> {
        self.writer()?.delete_all_documents().map_err(Error::internal)?;
        Ok(())
    }

    /// Takes items out, in whatever locale.
    pub(super) fn remove(&self, items: &[(Source, u64)]) -> Result<()> {
        let writer = self.writer()?;
        for &(source, id) in items {
            writer.delete_term(Term::from_field_text(self.fields.key, &key(source, id)));
        }
        Ok(())
    }

    /// Puts pages in.
    pub(super) fn add(&self, pages: &[Page]) -> Result<()> {
        let writer = self.writer()?;
        for page in pages {
            writer.add_document(self.document(page)).map_err(Error::internal)?;
        }
        Ok(())
    }

    /// Shows what was put in and taken out.
    pub(super) fn commit(&self) -> Result<()> {
        self.writer()?.commit().map_err(Error::internal)?;
        self.reader.reload().map_err(Error::internal)
    }

    fn writer(&self) -> Result<std::sync::MutexGuard<'_, IndexWriter>> {
        self.writer.lock().map_err(|_| Error::internal("the index's writer broke"))
    }

    fn document(&self, page: &Page) -> TantivyDocument {
        let fields = &self.fields;
        let mut document = TantivyDocument::new();
        document.add_text(fields.key, page.key());
        document.add_text(fields.locale, page.locale.as_str());
        document.add_text(fields.kind, page.kind);
        document.add_u64(fields.common, page.common.into());
        document.add_u64(fields.published_at, page.published_at.into());
        document.add_pre_tokenized_text(fields.title, tokens(&page.title));
        document.add_pre_tokenized_text(fields.keywords, tokens(&page.keywords.join("  ")));
        document.add_pre_tokenized_text(fields.summary, tokens(&page.summary));
        document.add_pre_tokenized_text(fields.body, tokens(&page.body()));
        document
    }

    pub(super) fn search(&self, asked: &Question<'_>, thesaurus: &Thesaurus) -> Result<Found> {
        let searcher = self.reader.searcher();
        let mut sought_words = words(asked.keyword);
        if sought_words.iter().any(|word| !is_stop(&word.normal)) {
            // The last word may be the start of another.
            let last = sought_words.pop();
            sought_words.retain(|word| !is_stop(&word.normal));
            sought_words.extend(last.filter(|word| is_open(word) || !is_stop(&word.normal)));
        }
        sought_words.truncate(WORDS_MAX);
        let mut sought = Sought::default();
        let clauses = self.clauses(&searcher, &sought_words, thesaurus, &mut sought);
        if clauses.is_empty() {
            return Ok(Found { pages: Vec::new(), total: 0, sought });
        }
        let all: Vec<_> = clauses.iter().map(|one| (Occur::Must, one.box_clone())).collect();
        let found = self.run(&searcher, asked, all, sought.clone())?;
        if found.total > 0 || clauses.len() == 1 {
            return Ok(found);
        }
        let any: Vec<_> = clauses.into_iter().map(|one| (Occur::Should, one)).collect();
        self.run(&searcher, asked, any, sought)
    }

    fn run(
        &self,
        searcher: &Searcher,
        asked: &Question<'_>,
        clauses: Vec<(Occur, Box<dyn Query>)>,
        sought: Sought,
    ) -> Result<Found> {
        let fields = &self.fields;
        let exact = |field, text: &str| -> Box<dyn Query> {
            let term = Term::from_field_text(field, text);
            Box::new(TermQuery::new(term, IndexRecordOption::Basic))
        };
        let silent = |query: Box<dyn Query>| -> Box<dyn Query> {
            Box::new(ConstScoreQuery::new(query, 0.0))
        };
        let until = Term::from_field_u64(fields.published_at, asked.now.into());
        let shown = RangeQuery::new(Bound::Unbounded, Bound::Included(until));
        let mut all: Vec<(Occur, Box<dyn Query>)> = vec![
            (Occur::Must, Box::new(BooleanQuery::new(clauses))),
            (Occur::Must, silent(exact(fields.locale, asked.locale.as_str()))),
            (Occur::Must, silent(Box::new(shown))),
        ];
        if !asked.kinds.is_empty() {
            let kinds = asked.kinds.iter().map(|kind| (Occur::Should, exact(fields.kind, kind)));
            let kinds = BooleanQuery::new(kinds.collect());
            all.push((Occur::Must, silent(Box::new(kinds))));
        }
        let common = Term::from_field_u64(fields.common, 1);
        let common = Box::new(TermQuery::new(common, IndexRecordOption::Basic));
        all.push((Occur::Should, Box::new(ConstScoreQuery::new(common, COMMON))));

        let top = TopDocs::with_limit(asked.size).and_offset(asked.offset).order_by_score();
        let (top, total) =
            searcher.search(&BooleanQuery::new(all), &(top, Count)).map_err(Error::internal)?;
        let mut pages = Vec::with_capacity(top.len());
        for (_, address) in top {
            let document: TantivyDocument = searcher.doc(address).map_err(Error::internal)?;
            let key = document.get_first(fields.key).and_then(|value| value.as_str());
            pages.extend(key.and_then(named));
        }
        Ok(Found { pages, total, sought })
    }

    /// A clause for each word, or for the words that make one term.
    fn clauses(
        &self,
        searcher: &Searcher,
        words: &[Word],
        thesaurus: &Thesaurus,
        sought: &mut Sought,
    ) -> Vec<Box<dyn Query>> {
        let mut clauses: Vec<Box<dyn Query>> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let (length, others) = thesaurus.longest(&words[at..]);
            let own = &words[at..at + length];
            at += length;
            let is_last = at == words.len();
            let mut either: Vec<(Occur, Box<dyn Query>)> = Vec::new();
            for other in others {
                match other.as_slice() {
                    [stem] => sought.stems.push(stem.clone()),
                    phrase => sought.phrases.push(phrase.to_vec()),
                }
                either.extend(self.phrase(other, SYNONYM));
            }
            if let [word] = own {
                either.extend(self.word(searcher, word, is_last, others.is_empty(), sought));
            } else {
                let every = own.iter().enumerate().map(|(index, word)| {
                    let open = is_last && index + 1 == own.len();
                    let one = self.word(searcher, word, open, true, sought);
                    (Occur::Must, Box::new(BooleanQuery::new(one)) as Box<dyn Query>)
                });
                either.push((Occur::Should, Box::new(BooleanQuery::new(every.collect()))));
            }
            clauses.push(Box::new(BooleanQuery::new(either)));
        }
        clauses
    }

    /// The fields that are searched, and how much a match there counts.
    fn texts(&self) -> [(Field, f32); 4] {
        let fields = &self.fields;
        [(fields.title, 4.0), (fields.keywords, 3.0), (fields.summary, 2.0), (fields.body, 1.0)]
    }

    fn word(
        &self,
        searcher: &Searcher,
        word: &Word,
        open: bool,
        alone: bool,
        sought: &mut Sought,
    ) -> Vec<(Occur, Box<dyn Query>)> {
        let mut either: Vec<(Occur, Box<dyn Query>)> =
            self.phrase(std::slice::from_ref(&word.stem), 1.0);
        sought.stems.push(word.stem.clone());
        let mut forms = vec![&word.normal];
        if word.stem != word.normal {
            forms.push(&word.stem);
        }
        if open && is_open(word) {
            for (field, weight) in self.texts() {
                for form in &forms {
                    let term = Term::from_field_text(field, form);
                    let query = FuzzyTermQuery::new_prefix(term, 0, true);
                    either.push(boosted(Box::new(query), weight * START));
                }
            }
            sought.start = Some((word.normal.clone(), word.stem.clone()));
        }
        let known = self.texts().iter().any(|&(field, _)| {
            searcher.doc_freq(&Term::from_field_text(field, &word.stem)).unwrap_or(0) > 0
        });
        let letters = word.normal.chars().count() >= NEAR_LETTERS
            && !word.normal.contains(|c: char| c.is_ascii_digit());
        if alone && !known && letters {
            for (field, weight) in self.texts() {
                for form in forms.iter().filter(|form| form.chars().count() >= NEAR_LETTERS) {
                    let term = Term::from_field_text(field, form);
                    let query = FuzzyTermQuery::new(term, 1, true);
                    either.push(boosted(Box::new(query), weight * NEAR));
                }
            }
            sought.near.push((word.normal.clone(), word.stem.clone()));
        }
        either
    }

    /// Stems beside each other, in any of the fields.
    fn phrase(&self, stems: &[String], weight: f32) -> Vec<(Occur, Box<dyn Query>)> {
        let query = |field| -> Box<dyn Query> {
            let terms: Vec<Term> =
                stems.iter().map(|stem| Term::from_field_text(field, stem)).collect();
            match <[Term; 1]>::try_from(terms) {
                Ok([term]) => Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
                Err(terms) => Box::new(PhraseQuery::new(terms)),
            }
        };
        self.texts().map(|(field, more)| boosted(query(field), weight * more)).into()
    }
}

/// Whether words can be sought that begin with this one.
fn is_open(word: &Word) -> bool {
    word.normal.chars().count() >= 2
}

fn boosted(query: Box<dyn Query>, weight: f32) -> (Occur, Box<dyn Query>) {
    (Occur::Should, Box::new(BoostQuery::new(query, weight)))
}

fn named(key: &str) -> Option<(Source, u64)> {
    let (source, id) = key.split_once(':')?;
    let source = Source::ALL.into_iter().find(|known| known.as_str() == source)?;
    Some((source, id.parse().ok()?))
}

/// Each word as written and as its stem, at one place.
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
