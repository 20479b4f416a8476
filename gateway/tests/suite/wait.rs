//! Waiting for what other tasks do.

use std::time::Duration;

/// Waits by polling until a condition holds.
pub(crate) async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let wait = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let limit = Duration::from_secs(20);
    tokio::time::timeout(limit, wait).await.unwrap_or_else(|_| panic!("{what}: not in time"));
}
