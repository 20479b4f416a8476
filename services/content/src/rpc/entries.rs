//! Logic shared by the rpcs of all kinds of entries.
use sahm_chassis::{
    Error, ErrorCode, Result,
    changes::ChangeLog,
    clock::Clock,
    cursor::{self, Position},
    validate::{batch, page_size},
};

use super::validate;
use crate::{
    domain::{ArticleSigner, Entry, EntryKind, IdOrSlug, Locale, Page},
    providers::Translator,
    search::Search,
    stocks::StockBook,
    store::{ContentStore, StoredEntry},
};

const MAX_WITHDRAWN: usize = 1_000;
/// Maximum and default page size of a list of entry references.
const MAX_REFS: u32 = 10_000;

/// The state of all rpcs.
pub(crate) struct ContentRpc {
    pub(crate) store: ContentStore,
    /// Writes wake its subscribers.
    pub(crate) log: ChangeLog,
    pub(crate) clock: Clock,
    pub(crate) stocks: StockBook,
    pub(crate) search: Search,
    /// Signs displayed articles, so that only their readers may request translations.
    pub(crate) signer: ArticleSigner,
    /// `None` if no translation provider is configured.
    pub(crate) translator: Option<Translator>,
}

/// A wire message of one entry.
pub(super) trait FromEntry: Sized {
    /// The message; `None` if the entry is of another kind.
    fn from_entry(entry: &Entry) -> Option<Self>;
}

/// The wire messages of entries.
pub(super) fn items<T: FromEntry>(entries: &[Entry]) -> Vec<T> {
    entries.iter().filter_map(T::from_entry).collect()
}

/// The error code for a missing entry. Missing videos share that of missing news and announcements.
pub(super) fn missing(kind: EntryKind) -> ErrorCode {
    match kind {
        EntryKind::CollegeCategory
        | EntryKind::CollegeCourse
        | EntryKind::CollegeArticle
        | EntryKind::CompanyArticle => ErrorCode::CourseNotFound,
        EntryKind::HelpChannel | EntryKind::HelpDocument | EntryKind::LegalDocument => {
            ErrorCode::DocumentNotFound
        }
        EntryKind::News | EntryKind::NewsFlash | EntryKind::NewsVideo | EntryKind::CollegeVideo => {
            ErrorCode::ArticleNotFound
        }
        _ => ErrorCode::NotFound,
    }
}

/// A page of a list.
pub(super) struct ListPage {
    pub(super) items: Vec<Entry>,
    /// Empty on the last page.
    pub(super) next_cursor: String,
    /// Epoch seconds; 0 for never.
    pub(super) next_change_at: u32,
}

impl ContentRpc {
    pub(super) fn now(&self) -> u32 {
        self.clock.now()
    }

    /// A page of a list; `locale` is `None` for lists of bilingual entries.
    pub(super) async fn page(
        &self,
        kind: EntryKind,
        list: &str,
        locale: Option<Locale>,
        size: u32,
        cursor: &str,
    ) -> Result<ListPage> {
        let after = cursor::decode(list, cursor)?;
        let page = self.store.entries(kind, list, locale, after, size, self.now()).await?;
        Ok(ListPage::of(list, page))
    }

    pub(super) async fn first(
        &self,
        kind: EntryKind,
        list: &str,
        locale: Option<Locale>,
        size: u32,
    ) -> Result<Page<Entry>> {
        self.store.entries(kind, list, locale, None, size, self.now()).await
    }

    /// Resolves an id or slug to an id.
    ///
    /// # Errors
    /// [`missing`] for an unknown slug.
    pub(super) async fn id(&self, kind: EntryKind, name: &IdOrSlug) -> Result<u64> {
        self.store.entry_id(kind, name).await?.ok_or_else(|| Error::of(missing(kind)))
    }

    /// An entry in this locale, with the other one as fallback.
    ///
    /// # Errors
    /// [`missing`] if no published entry exists.
    pub(super) async fn find(
        &self,
        kind: EntryKind,
        name: &IdOrSlug,
        locale: Locale,
    ) -> Result<StoredEntry> {
        let id = self.id(kind, name).await?;
        let found = self.store.entry(kind, id, locale, self.now()).await?;
        found.ok_or_else(|| Error::of(missing(kind)))
    }

    /// One entry without its text.
    pub(super) async fn by_id(&self, kind: EntryKind, id: u64) -> Result<Option<Entry>> {
        Ok(self.by_ids(kind, &[id], None).await?.pop())
    }

    /// Entries without their texts, in the order of the ids.
    pub(super) async fn by_ids(
        &self,
        kind: EntryKind,
        ids: &[u64],
        locale: Option<Locale>,
    ) -> Result<Vec<Entry>> {
        Ok(self.store.entries_by_id(kind, ids, locale, self.now()).await?.items)
    }

    /// [`Self::by_ids`] for a batch call.
    pub(super) async fn batch(
        &self,
        kind: EntryKind,
        ids: &[u64],
        locale: Option<Locale>,
    ) -> Result<Vec<Entry>> {
        validate::batch("ids", ids)?;
        self.by_ids(kind, ids, locale).await
    }

    /// A page of references to all entries of a kind, and the cursor of the next page.
    pub(super) async fn refs(
        &self,
        kind: EntryKind,
        list: &str,
        size: u32,
        after_id: u64,
        cursor: &str,
    ) -> Result<(Vec<StoredEntry>, String)> {
        let size = page_size(size, MAX_REFS, MAX_REFS)?;
        let after = cursor::decode(list, cursor)?.unwrap_or(after_id);
        let mut found = self.store.entry_refs(kind, after, size + 1, self.now()).await?;
        let next_cursor = cursor::cut(list, &mut found, size as usize, |last| last.entry.id);
        Ok((found, next_cursor))
    }

    /// Likes or unlikes an item for the caller; returns its number of likes.
    pub(super) async fn like(&self, kind: EntryKind, id: u64, likes: bool) -> Result<u64> {
        let reader = validate::required_reader()?;
        self.store.like(kind, id, &reader, likes, self.now()).await
    }

    /// Counts that the caller reads an item; returns its number of reads.
    pub(super) async fn count_reading(&self, kind: EntryKind, id: u64) -> Result<u64> {
        let reader = validate::reader();
        self.store.count_reading(kind, id, reader.as_deref(), self.now()).await
    }

    /// Withdraws items and returns the ids of those that existed.
    pub(super) async fn withdraw(&self, kind: EntryKind, ids: &[u64]) -> Result<Vec<u64>> {
        batch("ids", ids, MAX_WITHDRAWN)?;
        let withdrawn_ids = self.store.withdraw(kind, ids).await?;
        self.log.notify();
        Ok(withdrawn_ids)
    }
}

impl ListPage {
    pub(super) fn of(list: &str, page: Page<Entry>) -> Self {
        Self {
            items: page.items,
            next_cursor: next_cursor(list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        }
    }
}

/// The cursor of the next page of a list; empty on the last page.
pub(super) fn next_cursor<P: Position>(list: &str, next: Option<P>) -> String {
    next.map(|next| cursor::encode(list, &next)).unwrap_or_default()
}
