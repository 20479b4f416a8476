//! Names of the keys in Redis that several parts of the cache use.

/// The hash with a log's id and position.
pub(in crate::page_cache) fn head_key(service: &str) -> String {
    format!("sahm:log:{service}")
}

/// The sorted set of a log's hard purges: tags by sequence.
pub(in crate::page_cache) fn hard_key(service: &str) -> String {
    format!("sahm:log:{service}:hard")
}

/// The sorted set of a log's soft purges: tags by sequence.
pub(in crate::page_cache) fn soft_key(service: &str) -> String {
    format!("sahm:log:{service}:soft")
}
