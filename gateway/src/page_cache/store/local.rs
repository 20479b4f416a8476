//! The store in this process, bounded in bytes.

use std::sync::Arc;

use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};

use crate::page_cache::entry::{Entry, FillId};

/// Overhead of the table for an entry, bytes: slots, hashes, reference counts.
const SLOT_BYTES: u64 = 160;
/// Expected bytes of an entry; sizes the table.
const TYPICAL_ENTRY_BYTES: u64 = 24 * 1024;
/// Smallest size of a shard, so that a large page fits into it.
const MIN_SHARD_BYTES: u64 = 8 * 1024 * 1024;

/// Entries by key text. Eviction is by use, resists scans and happens on insertion, so the bound always holds.
pub(crate) type LocalStore = Cache<Arc<str>, Arc<Entry>, ByBytes>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ByBytes;

impl Weighter<Arc<str>, Arc<Entry>> for ByBytes {
    fn weight(&self, key: &Arc<str>, entry: &Arc<Entry>) -> u64 {
        SLOT_BYTES + key.len() as u64 + entry.weight()
    }
}

/// An empty store of at most `bytes`.
pub(crate) fn local_store(bytes: u64) -> LocalStore {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let shards = usize::try_from(bytes / MIN_SHARD_BYTES).unwrap_or(usize::MAX).clamp(1, cores * 4);
    let items = usize::try_from(bytes / TYPICAL_ENTRY_BYTES).unwrap_or(usize::MAX).max(64);
    let options = OptionsBuilder::new()
        .estimated_items_capacity(items)
        .weight_capacity(bytes)
        // The largest power of two in `shards`.
        .shards(1 << shards.ilog2())
        .build();
    match options {
        Ok(options) => Cache::with_options(
            options,
            ByBytes,
            DefaultHashBuilder::default(),
            DefaultLifecycle::default(),
        ),
        // Unreachable: all options are set.
        Err(_) => Cache::with_weighter(items, bytes, ByBytes),
    }
}

/// Replaces the entry only if it is of that fill.
pub(crate) fn replace(store: &LocalStore, key: &str, fill_id: &FillId, entry: Arc<Entry>) {
    if store.peek(key).is_some_and(|stored| stored.fill_id == *fill_id) {
        // A fill that completes in between is overwritten by a valid entry of the same page.
        let _ = store.replace(Arc::from(key), entry, false);
    }
}

/// Removes the entry only if it is of that fill.
pub(crate) fn remove(store: &LocalStore, key: &str, fill_id: &FillId) {
    store.remove_if(key, |entry| entry.fill_id == *fill_id);
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used)]
    use bytes::Bytes;
    use http::{HeaderValue, StatusCode};

    use super::*;
    use crate::page_cache::entry::{Bodies, EntryData, EntryKind, Lifetimes, LogPosition, Times};

    pub(crate) fn entry(size: usize, tags: &[&str], positions: &[(&str, &str, u64)]) -> Entry {
        Entry::new(EntryData {
            status: StatusCode::OK,
            content_type: HeaderValue::from_static("text/html; charset=utf-8"),
            bodies: Bodies {
                brotli: Some(Bytes::from(vec![1; size])),
                brotli_best: false,
                gzip: None,
                identity: None,
            },
            hash: [7; 16],
            fill_id: rand::random(),
            kind: EntryKind::Complete,
            own: true,
            times: Times::of(EntryKind::Complete, 1000, None, &Lifetimes::default()),
            tags: tags.iter().map(|tag| Box::from(*tag)).collect(),
            positions: positions
                .iter()
                .map(|(service, log_id, sequence)| LogPosition {
                    service: (*service).to_owned(),
                    log_id: (*log_id).to_owned(),
                    sequence: *sequence,
                })
                .collect(),
        })
    }

    #[test]
    fn size_is_that_of_keys_and_entries_and_little_more() {
        let local = local_store(32 << 20);
        let entry = Arc::new(entry(1_000, &[], &[]));
        let held = 100 + entry.weight();
        local.insert("k".repeat(100).into(), entry);
        assert!((held..held + 256).contains(&local.weight()), "{} {held}", local.weight());
    }

    #[test]
    fn size_stays_within_the_bound_and_hot_entries_stay() {
        let bound = 32 * 1024 * 1024;
        let local = local_store(bound);
        let hot: Vec<String> = (0..400).map(|n| format!("hot {n}")).collect();
        for _ in 0..3 {
            for key in &hot {
                if local.get(key.as_str()).is_none() {
                    local.insert(key.as_str().into(), entry(20_000, &["a:1"], &[]).into());
                }
            }
        }
        let mut misses = 0;
        for n in 0..20_000 {
            local.insert(format!("once {n}").into(), entry(20_000, &["a:1"], &[]).into());
            let key = &hot[n % hot.len()];
            if local.get(key.as_str()).is_none() {
                misses += 1;
                local.insert(key.as_str().into(), entry(20_000, &["a:1"], &[]).into());
            }
            assert!(local.weight() <= bound);
        }
        assert!(misses < 400, "{misses} of 20,000 hot looks missed");
    }

    #[test]
    fn replace_and_remove_touch_only_the_entry_of_their_fill() {
        let local = local_store(1 << 20);
        let first = Arc::new(entry(10, &[], &[]));
        let second = Arc::new(entry(20, &[], &[]));
        local.insert("k".into(), second.clone());
        replace(&local, "k", &first.fill_id, first.clone());
        remove(&local, "k", &first.fill_id);
        assert_eq!(local.peek("k").unwrap().fill_id, second.fill_id);
        replace(&local, "k", &second.fill_id, first.clone());
        assert_eq!(local.peek("k").unwrap().fill_id, first.fill_id);
        remove(&local, "k", &first.fill_id);
        assert!(local.peek("k").is_none());
    }
}
