//! The first level: entries in this process, bounded in bytes.

use std::sync::Arc;

use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};

use super::entry::{Entry, Stamp};

/// What the table itself takes for an entry: slots, hashes, the reference counts.
const SLOT: u64 = 160;
/// Expected bytes of an entry; sizes the table, does not bound it.
const TYPICAL: u64 = 24 * 1024;
/// A shard holds at least this much, so that a large page fits into it.
const SHARD: u64 = 8 * 1024 * 1024;

type Entries = Cache<Arc<str>, Arc<Entry>, ByBytes>;

#[derive(Clone, Copy, Debug)]
struct ByBytes;

impl Weighter<Arc<str>, Arc<Entry>> for ByBytes {
    fn weight(&self, key: &Arc<str>, entry: &Arc<Entry>) -> u64 {
        SLOT + key.len() as u64 + entry.weight()
    }
}

/// Entries by key text. Eviction is by use and resists scans, and happens as entries come in, so
/// the bound holds at every moment.
#[derive(Debug)]
pub(super) struct Memory {
    entries: Entries,
}

impl Memory {
    /// An empty level of at most `bytes`.
    pub(super) fn new(bytes: u64) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let shards = usize::try_from(bytes / SHARD).unwrap_or(usize::MAX).clamp(1, cores * 4);
        let items = usize::try_from(bytes / TYPICAL).unwrap_or(usize::MAX).max(64);
        let shards = if shards.is_power_of_two() { shards } else { shards.next_power_of_two() / 2 };
        let options = OptionsBuilder::new()
            .estimated_items_capacity(items)
            .weight_capacity(bytes)
            .shards(shards)
            .build();
        let entries = match options {
            Ok(options) => Cache::with_options(
                options,
                ByBytes,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            ),
            // All options are given, so this is never taken.
            Err(_) => Cache::with_weighter(items, bytes, ByBytes),
        };
        Self { entries }
    }

    pub(super) fn get(&self, key: &str) -> Option<Arc<Entry>> {
        self.entries.get(key)
    }

    /// Looks without counting as a use.
    pub(super) fn peek(&self, key: &str) -> Option<Arc<Entry>> {
        self.entries.peek(key)
    }

    pub(super) fn insert(&self, key: Arc<str>, entry: Arc<Entry>) {
        self.entries.insert(key, entry);
    }

    /// Puts `entry` in place of the making `stamp`, and of no other.
    pub(super) fn replace(&self, key: &str, stamp: &Stamp, entry: Arc<Entry>) {
        if self.peek(key).is_some_and(|stored| stored.stamp == *stamp) {
            // A flight may come between; what it puts in is newer and is judged on its own, and
            // what is put over it here is a good entry of the same page.
            let _ = self.entries.replace(Arc::from(key), entry, false);
        }
    }

    /// Removes the making `stamp`, and no other.
    pub(super) fn remove(&self, key: &str, stamp: &Stamp) {
        self.entries.remove_if(key, |entry| entry.stamp == *stamp);
    }

    pub(super) fn bytes(&self) -> u64 {
        self.entries.weight()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn list(&self) -> Vec<(Arc<str>, Arc<Entry>)> {
        self.entries.iter().collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used)]
    use bytes::Bytes;
    use http::{HeaderValue, StatusCode};

    use super::*;
    use crate::page_cache::entry::{Bodies, Class, Lifetimes, LogPosition, Parts, Times};

    pub(crate) fn entry(size: usize, tags: &[&str], positions: &[(&str, &str, u64)]) -> Entry {
        Entry::new(Parts {
            status: StatusCode::OK,
            content_type: HeaderValue::from_static("text/html; charset=utf-8"),
            bodies: Bodies {
                brotli: Some(Bytes::from(vec![1; size])),
                brotli_best: false,
                gzip: None,
                identity: None,
            },
            hash: [7; 16],
            stamp: rand::random(),
            class: Class::Whole,
            own: true,
            times: Times::of(Class::Whole, 1000, None, &Lifetimes::default()),
            tags: tags.iter().map(|tag| Box::from(*tag)).collect(),
            positions: positions
                .iter()
                .map(|(service, log_id, sequence)| LogPosition {
                    service: Arc::from(*service),
                    log_id: Arc::from(*log_id),
                    sequence: *sequence,
                })
                .collect(),
        })
    }

    #[test]
    fn bytes_never_pass_the_bound_and_the_hot_set_stays() {
        let bound = 32 * 1024 * 1024;
        let memory = Memory::new(bound);
        let hot: Vec<String> = (0..400).map(|n| format!("hot {n}")).collect();
        for _ in 0..3 {
            for key in &hot {
                if memory.get(key).is_none() {
                    memory.insert(key.as_str().into(), entry(20_000, &["a:1"], &[]).into());
                }
            }
        }
        let mut misses = 0;
        for n in 0..20_000 {
            memory.insert(format!("once {n}").into(), entry(20_000, &["a:1"], &[]).into());
            let key = &hot[n % hot.len()];
            if memory.get(key).is_none() {
                misses += 1;
                memory.insert(key.as_str().into(), entry(20_000, &["a:1"], &[]).into());
            }
            assert!(memory.bytes() <= bound);
        }
        assert!(misses < 400, "{misses} of 20,000 hot looks missed");
    }

    #[test]
    fn replace_and_remove_touch_only_their_own_making() {
        let memory = Memory::new(1 << 20);
        let first = Arc::new(entry(10, &[], &[]));
        let second = Arc::new(entry(20, &[], &[]));
        memory.insert("k".into(), second.clone());
        memory.replace("k", &first.stamp, first.clone());
        memory.remove("k", &first.stamp);
        assert_eq!(memory.peek("k").unwrap().stamp, second.stamp);
        memory.replace("k", &second.stamp, first.clone());
        assert_eq!(memory.peek("k").unwrap().stamp, first.stamp);
        memory.remove("k", &first.stamp);
        assert!(memory.peek("k").is_none());
    }
}
