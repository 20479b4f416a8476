//! Full-text search over news, education and help centre in both languages. The index and the data
//! that hits display are in memory. They are built from the store at startup and follow its change
//! log, so that imports and withdrawals by any process take effect immediately.

mod highlight;
mod index;
mod index_subscriber;
mod indexed_document;
mod synonyms;
mod words;

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use sahm_chassis::{Error, Result, changes::ChangeLog, clock::Clock, lifecycle::Lifecycle};
use tokio::sync::watch;

pub use highlight::TextPart;
use index::PageIndex;
use synonyms::Thesaurus;

use crate::{
    change_subscriber::subscribe,
    domain::{Cursor, EntryKind, Locale, SearchDocument},
    store::ContentStore,
};

/// Maximum length of a keyword in characters.
const MAX_KEYWORD: usize = 100;
const MAX_HITS: usize = 1_000;
/// How long a search waits for the first index.
const FIRST_INDEX_TIMEOUT: Duration = Duration::from_secs(2);

/// Whether items of this kind are searchable.
pub fn is_searched(kind: &str) -> bool {
    EntryKind::parse(kind).is_some_and(|kind| kind.page_path().is_some())
}

#[derive(Clone, Debug)]
pub struct SearchQuery {
    /// At most 100 characters.
    pub keyword: String,
    pub locale: Locale,
    /// Restricts the search to these kinds; empty for all.
    pub kinds: Vec<String>,
    pub size: u32,
    pub after: Option<Cursor>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Best hit first.
    pub hits: Vec<Hit>,
    pub total: u32,
    /// Start of the next page; `None` on the last one.
    pub next: Option<Cursor>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Without keywords and body; numbers are isolated in Arabic (`domain::isolate_numbers`).
    pub document: Arc<SearchDocument>,
    /// The title with highlighted matches.
    pub title: Vec<TextPart>,
    /// The summary or a passage of the text with highlighted matches.
    pub excerpt: Vec<TextPart>,
}

/// The search. Clones share state.
#[derive(Clone)]
pub struct Search {
    inner: Arc<Inner>,
}

struct Inner {
    store: ContentStore,
    clock: Clock,
    index: PageIndex,
    thesaurus: ArcSwap<Thesaurus>,
    /// Whether the first index is built.
    is_built: watch::Sender<bool>,
}

impl Search {
    /// Builds the index and follows the change log until the process drains. The process is not
    /// ready before the index is built.
    pub fn start(
        store: ContentStore,
        log: ChangeLog,
        clock: Clock,
        lifecycle: &Lifecycle,
    ) -> Result<Self> {
        let (index, thesaurus) = (PageIndex::new()?, ArcSwap::default());
        let is_built = watch::Sender::new(false);
        let inner = Arc::new(Inner { store, clock, index, thesaurus, is_built });
        let search = Self { inner: inner.clone() };
        let subscribed = subscribe("search index", log, search.clone());
        lifecycle.spawn_until_drain("search index", subscribed);
        lifecycle.add_readiness("search index", move || {
            let is_built = *inner.is_built.borrow();
            async move { if is_built { Ok(()) } else { Err(building()) } }
        });
        Ok(search)
    }

    /// A page of hits, best first; empty for an empty keyword.
    ///
    /// # Errors
    /// `Parameter` for a keyword that is too long; `Unavailable` while the first index is being
    /// built; errors of the store.
    pub async fn search(&self, query: SearchQuery) -> Result<Hits> {
        if query.keyword.chars().count() > MAX_KEYWORD {
            return Err(Error::field(
                "keyword",
                format!("is longer than {MAX_KEYWORD} characters"),
            ));
        }
        if query.keyword.trim().is_empty() {
            return Ok(Hits::default());
        }
        let mut is_built = self.inner.is_built.subscribe();
        let built = is_built.wait_for(|is_built| *is_built);
        if !tokio::time::timeout(FIRST_INDEX_TIMEOUT, built).await.is_ok_and(|built| built.is_ok())
        {
            return Err(building());
        }
        let offset = query.after.map_or(0, |cursor| cursor.rank);
        let offset = usize::try_from(offset).ok().filter(|&offset| offset < MAX_HITS);
        let Some(offset) = offset else { return Ok(Hits::default()) };
        let size = query.size as usize;
        let searched = self.blocking(move |inner| {
            let (now, thesaurus) = (inner.clock.now(), inner.thesaurus.load());
            let found = inner.index.search(&query, offset, now, &thesaurus)?;
            let hits = found.documents.iter().map(|document| document.hit(&found.highlighter));
            Ok((hits.collect(), found.total))
        });
        let (hits, total) = searched.await?;
        let end = offset + size;
        let more = end < total.min(MAX_HITS);
        let rank = i64::try_from(end).map_err(Error::internal)?;
        Ok(Hits {
            hits,
            total: u32::try_from(total).unwrap_or(u32::MAX),
            next: more.then_some(Cursor { rank, id: 0 }),
        })
    }

    /// Runs work on the index, which blocks.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let inner = self.inner.clone();
        tokio::task::spawn_blocking(move || work(&inner)).await.map_err(Error::internal)?
    }
}

fn building() -> Error {
    Error::unavailable("the search index is being built")
}
