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
    domain::{Entry, EntryKind, IdOrSlug, Locale, Page},
    store::{ContentStore, EntryRef, StoredEntry},
};

const MAX_WITHDRAWN: usize = 1_000;
/// Maximum and default page size of a list of entry references.
const MAX_REFS: u32 = 10_000;

/// Access to the store; writes wake the subscribers of the change log.
#[derive(Clone)]
pub(crate) struct Entries {
    pub(super) store: ContentStore,
    pub(super) log: ChangeLog,
    pub(super) clock: Clock,
}

/// A page of a list.
pub(super) struct ListPage {
    pub(super) items: Vec<Entry>,
    /// Empty on the last page.
    pub(super) next_cursor: String,
    /// Epoch seconds; 0 for never.
    pub(super) next_change_at: u32,
}

impl Entries {
    pub(crate) fn new(store: ContentStore, log: ChangeLog, clock: Clock) -> Self {
        Self { store, log, clock }
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
        let page = self.store.entries(kind, list, locale, after, size, self.clock.now()).await?;
        Ok(ListPage::of(list, page))
    }

    pub(super) async fn first(
        &self,
        kind: EntryKind,
        list: &str,
        locale: Option<Locale>,
        size: u32,
    ) -> Result<Page<Entry>> {
        self.store.entries(kind, list, locale, None, size, self.clock.now()).await
    }

    /// Resolves an id or slug to an id.
    ///
    /// # Errors
    /// `missing` for an unknown slug.
    pub(super) async fn id(
        &self,
        kind: EntryKind,
        name: &IdOrSlug,
        missing: ErrorCode,
    ) -> Result<u64> {
        self.store.entry_id(kind, name).await?.ok_or_else(|| Error::of(missing))
    }

    /// An entry in this locale, with the other one as fallback.
    ///
    /// # Errors
    /// `missing` if no published entry exists.
    pub(super) async fn find(
        &self,
        kind: EntryKind,
        name: &IdOrSlug,
        locale: Locale,
        missing: ErrorCode,
    ) -> Result<StoredEntry> {
        let id = self.id(kind, name, missing).await?;
        let found = self.store.entry(kind, id, locale, self.clock.now()).await?;
        found.ok_or_else(|| Error::of(missing))
    }

    /// Entries without their texts, in the order of the ids.
    pub(super) async fn by_ids(
        &self,
        kind: EntryKind,
        ids: &[u64],
        locale: Option<Locale>,
    ) -> Result<Vec<Entry>> {
        Ok(self.store.entries_by_id(kind, ids, locale, self.clock.now()).await?.items)
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
    ) -> Result<(Vec<EntryRef>, String)> {
        let size = page_size(size, MAX_REFS, MAX_REFS)?;
        let after = cursor::decode(list, cursor)?.unwrap_or(after_id);
        let mut found = self.store.entry_refs(kind, after, size + 1, self.clock.now()).await?;
        let next_cursor = cursor::cut(list, &mut found, size as usize, |last| last.entry.id);
        Ok((found, next_cursor))
    }

    /// Likes or unlikes an item for the caller; returns its number of likes.
    pub(super) async fn like(&self, kind: EntryKind, id: u64, likes: bool) -> Result<u64> {
        let reader = validate::required_reader()?;
        self.store.like(kind, id, &reader, likes, self.clock.now()).await
    }

    /// Counts that the caller reads an item; returns its number of reads.
    pub(super) async fn count_reading(&self, kind: EntryKind, id: u64) -> Result<u64> {
        let reader = validate::reader();
        self.store.count_reading(kind, id, reader.as_deref(), self.clock.now()).await
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
