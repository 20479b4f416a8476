//! Polls for conditions, and counts panics.

use std::{
    path::Path,
    sync::{
        Once,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use super::test_logs;

const PAUSE: Duration = Duration::from_millis(5);

static PANICS: AtomicU64 = AtomicU64::new(0);

/// Polls for a condition; returns the duration.
pub(crate) async fn until(
    timeout: Duration,
    what: &str,
    mut condition: impl AsyncFnMut() -> bool,
) -> Duration {
    let began = Instant::now();
    while !condition().await {
        assert!(began.elapsed() < timeout, "not within {timeout:?}: {what}");
        tokio::time::sleep(PAUSE).await;
    }
    began.elapsed()
}

/// The output of a future, within a timeout.
pub(crate) async fn within<T>(timeout: Duration, what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(timeout, future).await {
        Ok(value) => value,
        Err(_) => panic!("not within {timeout:?}: {what}"),
    }
}

/// The number of panics outside the tests' own code, caught or not.
pub(crate) fn panics() -> u64 {
    PANICS.load(Ordering::SeqCst)
}

/// Starts to count panics, and configures logging from `RUST_LOG`.
pub(super) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let own = panic.location().is_some_and(|place| {
                Path::new(place.file()).components().any(|part| part.as_os_str() == "tests")
            });
            if !own {
                PANICS.fetch_add(1, Ordering::SeqCst);
            }
            before(panic);
        }));
        if std::env::var_os("RUST_LOG").is_some() {
            let filter = tracing_subscriber::EnvFilter::from_default_env();
            let _ = tracing_subscriber::fmt().with_env_filter(filter).try_init();
        } else if let Some(log) = test_logs::file(&format!("tests-{}.log", std::process::id())) {
            // Logs of code in this process, in the format of processes.
            let filter = tracing_subscriber::EnvFilter::new("warn,sahm=info");
            let format = tracing_subscriber::fmt().with_ansi(false).with_env_filter(filter);
            let _ = format.with_writer(std::sync::Mutex::new(log)).try_init();
        }
    });
}
