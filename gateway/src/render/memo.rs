//! Memoised renders (docs/members-pages.md). The key is a hash of everything that a render depends on, so that only
//! equal inputs share a render.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use quick_cache::{Weighter, sync::Cache};
use sahm_chassis::telemetry::Observed;
use serde::Serialize;

use super::client::{RenderError, render_timeout};
use crate::page_cache::AppendableBody;

/// Expected size of a render, in bytes; sizes the table.
const TYPICAL_BYTES: u64 = 32 * 1024;
/// Overhead of the table per render, in bytes.
const SLOT_BYTES: u64 = 160;

/// SHA-256 of everything that a render depends on.
pub(crate) type RenderKey = [u8; 32];

/// Unstored pages may use this fraction of the memory.
const UNSTORED_SHARE: u64 = 8;

#[derive(Clone, Copy, Debug)]
pub(super) struct ByBytes;

impl Weighter<RenderKey, Arc<AppendableBody>> for ByBytes {
    fn weight(&self, _: &RenderKey, body: &Arc<AppendableBody>) -> u64 {
        SLOT_BYTES + body.weight()
    }
}

impl Weighter<RenderKey, Bytes> for ByBytes {
    fn weight(&self, _: &RenderKey, body: &Bytes) -> u64 {
        SLOT_BYTES + body.len() as u64
    }
}

/// Renders by key.
#[derive(Debug)]
pub(crate) struct RenderMemo {
    /// The bodies that members share.
    pub(super) members: Renders<Arc<AppendableBody>>,
    /// Visitors' pages that the page cache does not store, such as searches, each in one encoding. They have their own
    /// memory, so that rare searches do not evict members' pages.
    pub(super) unstored: Renders<Bytes>,
    hits: AtomicU64,
    misses: AtomicU64,
}

type Renders<Body> = Cache<RenderKey, Body, ByBytes>;

/// Counters since the start of the process, and current sizes.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct RenderMemoMetrics {
    pub(crate) hits: u64,
    pub(crate) misses: u64,
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
}

impl RenderMemo {
    pub(crate) fn new(bytes: u64) -> Arc<Self> {
        let items = |bytes| usize::try_from(bytes / TYPICAL_BYTES).unwrap_or(usize::MAX).max(16);
        let unstored = bytes / UNSTORED_SHARE;
        let members = bytes - unstored;
        let memo = Arc::new(Self {
            members: Cache::with_weighter(items(members), members, ByBytes),
            unstored: Cache::with_weighter(items(unstored), unstored, ByBytes),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        });
        let weak = || Arc::downgrade(&memo);
        Observed::of("render_memo.hits", "Pages whose render was memoised")
            .counter(weak(), |memo| memo.metrics().hits);
        Observed::of("render_memo.misses", "Members' and unstored pages that were rendered")
            .counter(weak(), |memo| memo.metrics().misses);
        Observed::of("render_memo.entries", "Memoised renders")
            .gauge(weak(), |memo| memo.metrics().entries);
        Observed::of("render_memo.size", "Bytes of memoised renders")
            .in_unit("By")
            .gauge(weak(), |memo| memo.metrics().bytes);
        memo
    }

    /// Returns the memoised body, or runs `render` once for concurrent requests of the same key.
    ///
    /// # Errors
    /// Those of `render`, and `Unavailable` if another request's render takes too long.
    pub(super) async fn get_or_render<Body: Clone>(
        &self,
        renders: &Renders<Body>,
        key: &RenderKey,
        render: impl Future<Output = Result<Body, RenderError>>,
    ) -> Result<Body, RenderError>
    where
        ByBytes: Weighter<RenderKey, Body>,
    {
        if let Some(body) = renders.get(key) {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(body);
        }
        self.misses.fetch_add(1, Ordering::Relaxed);
        let rendered = renders.get_or_insert_async(key, render);
        tokio::time::timeout(render_timeout(), rendered)
            .await
            .unwrap_or_else(|_| Err(RenderError::Unavailable("timeout".to_owned())))
    }

    pub(crate) fn metrics(&self) -> RenderMemoMetrics {
        RenderMemoMetrics {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            entries: (self.members.len() + self.unstored.len()) as u64,
            bytes: self.members.weight() + self.unstored.weight(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::Duration;

    use bytes::Bytes;

    use super::*;
    use crate::content_encoding::ContentEncoding;

    impl RenderMemo {
        /// Every memoised render, uncompressed and without a tail.
        pub(crate) fn bodies(&self) -> Vec<Bytes> {
            let bodies = self.members.iter();
            bodies.map(|(_, body)| body.with_tail(ContentEncoding::Identity, b"")).collect()
        }
    }

    async fn body(text: &str) -> Arc<AppendableBody> {
        let text = Bytes::copy_from_slice(text.as_bytes());
        Arc::new(AppendableBody::compress(text).await.unwrap())
    }

    #[tokio::test]
    async fn concurrent_requests_of_a_key_share_one_render() {
        let memo = RenderMemo::new(1 << 20);
        let renders = AtomicU64::new(0);
        let get = || {
            memo.get_or_render(&memo.members, &[1; 32], async {
                renders.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok(body("a").await)
            })
        };
        let bodies = futures_util::future::join_all((0..20).map(|_| get())).await;
        assert!(bodies.iter().all(Result::is_ok));
        assert_eq!(renders.load(Ordering::Relaxed), 1);
        get().await.unwrap();
        let RenderMemoMetrics { hits, misses, entries, .. } = memo.metrics();
        assert_eq!((hits, misses, entries), (1, 20, 1));
    }

    #[tokio::test]
    async fn a_failed_render_is_not_memoised() {
        let memo = RenderMemo::new(1 << 20);
        let failed =
            memo.get_or_render(&memo.members, &[1; 32], async { Err(RenderError::Busy) }).await;
        assert!(failed.is_err());
        let body = body("a").await;
        assert!(memo.get_or_render(&memo.members, &[1; 32], async { Ok(body) }).await.is_ok());
    }

    #[tokio::test]
    async fn memory_is_bounded() {
        const BYTES: u64 = 1 << 20;
        let memo = RenderMemo::new(BYTES);
        for at in 0..400_u32 {
            let mut key = [0; 32];
            key[..4].copy_from_slice(&at.to_be_bytes());
            let text: String = (0..2_000).map(|n| format!("{:x} ", n * (at + 7919))).collect();
            let body = body(&text).await;
            memo.get_or_render(&memo.members, &key, async { Ok(body) }).await.unwrap();
        }
        let RenderMemoMetrics { entries, bytes, .. } = memo.metrics();
        assert!(bytes <= BYTES, "{bytes}");
        assert!((1..400).contains(&entries), "{entries}");
    }
}
