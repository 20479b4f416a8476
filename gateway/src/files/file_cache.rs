//! A cache of files by name, bounded in bytes, for media and assets of other builds.

use std::sync::Arc;

use quick_cache::{Weighter, sync::Cache};

use super::response::File;

pub(super) type FileCache = Cache<String, Arc<File>, ByBytes>;

/// A small estimate gives the cache one shard; with more, files larger than the capacity of a shard would not be
/// cached.
const ESTIMATED_ITEMS: usize = 32;

#[derive(Clone, Copy, Debug)]
pub(super) struct ByBytes;

impl Weighter<String, Arc<File>> for ByBytes {
    fn weight(&self, name: &String, file: &Arc<File>) -> u64 {
        (name.len() + file.weight()) as u64
    }
}

pub(super) fn file_cache(bytes: u64) -> FileCache {
    Cache::with_weighter(ESTIMATED_ITEMS, bytes, ByBytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_is_bounded_in_bytes_whatever_the_size_of_files() {
        let cache = file_cache(1_000_000);
        let insert = |name: &str, bytes: usize| {
            cache.insert(name.to_owned(), Arc::new(File::new(name, vec![0; bytes].into())));
        };
        insert("large.png", 900_000);
        assert!(cache.get("large.png").is_some());
        for number in 0..100 {
            insert(&format!("{number}.png"), 50_000);
            assert!(cache.weight() <= 1_000_000);
        }
        assert!(cache.len() > 10);
    }
}
