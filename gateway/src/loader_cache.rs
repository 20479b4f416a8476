//! A cache of service responses that many pages share. A response is reused until the service's change log advances.

use std::{
    any::Any,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use quick_cache::unsync::Cache;
use sahm_chassis::{
    clock,
    error::{Error, Result},
    settings::ServiceName,
};
use sahm_proto::UnaryRequest;
use tokio::time::Instant;

use crate::{
    page_cache::{LogState, PageCache},
    services::{Services, service_of},
    single_flight::SharedTask,
};

/// Upper bound of the age of a response, for changes over time that neither the change log nor the response announces.
const MAX_AGE: Duration = Duration::from_secs(30);

/// Maximum number of cached responses, for example one per market and locale.
const CAPACITY: usize = 512;

/// Path of the rpc, and the encoded request.
type Key = (&'static str, Vec<u8>);

/// A response, and when it expires (epoch seconds, 0: never).
type Response = (Arc<dyn Any + Send + Sync>, u32);

/// Responses by request, without visitors' data. Clones share them.
#[derive(Clone)]
pub(crate) struct LoaderCache {
    log: Arc<dyn Fn(ServiceName) -> LogState + Send + Sync>,
    reads: Arc<Mutex<Cache<Key, Read>>>,
}

/// A read of the service, running or done.
struct Read {
    /// State of the change log before the read; the response is at least as new.
    log: LogState,
    started: Instant,
    response: SharedTask<Response>,
}

impl LoaderCache {
    /// A cache for services whose change logs the page cache follows.
    pub(crate) fn new(cache: &PageCache) -> Self {
        let cache = cache.clone();
        Self::with_log(move |service| cache.log_state(service))
    }

    fn with_log(log: impl Fn(ServiceName) -> LogState + Send + Sync + 'static) -> Self {
        Self { log: Arc::new(log), reads: Arc::new(Mutex::new(Cache::new(CAPACITY))) }
    }

    /// Returns the cached response to a request, or calls the service if it may have changed or the change log is not
    /// followed. A response is empty if the service has nothing of that name.
    ///
    /// # Errors
    /// As [`Services::read`]. All callers that wait for a call receive its error, which is not cached.
    pub(crate) async fn read<R: UnaryRequest>(
        &self,
        services: &Services,
        request: R,
        expires_at: fn(&R::Response) -> u32,
    ) -> Result<Arc<R::Response>> {
        let key = (R::PATH, request.encode_to_vec());
        let services = services.clone();
        let read = || async move {
            let response = services.find(request).await?.unwrap_or_default();
            let expires_at = expires_at(&response);
            Ok((response, expires_at))
        };
        let response = self.get(service_of::<R>()?, key, read).await?;
        response.downcast().map_err(|_| Error::internal("a response of another rpc"))
    }

    /// Returns the cached response for a key, or that of `read`, which also returns when it expires (epoch seconds, 0:
    /// never). Concurrent callers share one read (single-flight).
    async fn get<F, T>(
        &self,
        service: ServiceName,
        key: Key,
        read: impl FnOnce() -> F,
    ) -> Result<Arc<dyn Any + Send + Sync>>
    where
        F: Future<Output = Result<(T, u32)>> + Send + 'static,
        T: Send + Sync + 'static,
    {
        let log = (self.log)(service);
        let response = {
            let mut reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
            match reads.get(&key).filter(|last| last.is_usable(&log)) {
                Some(last) => last.response.clone(),
                None => {
                    let (started, read) = (Instant::now(), read());
                    let response = SharedTask::start(async {
                        let (data, expires_at) = read.await?;
                        Ok((Arc::new(data) as Arc<dyn Any + Send + Sync>, expires_at))
                    });
                    reads.insert(key, Read { log, started, response: response.clone() });
                    response
                }
            }
        };
        Ok(response.result().await?.0)
    }
}

impl Read {
    /// Whether the response is still valid in this state of the change log.
    fn is_usable(&self, now: &LogState) -> bool {
        self.log.position == now.position
            && self.started.elapsed() < MAX_AGE
            && match self.response.peek() {
                None => true,
                Some(None) => false,
                Some(Some((_, expires_at))) => {
                    now.is_followed && (expires_at == 0 || clock::now() < expires_at)
                }
            }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::atomic::{AtomicUsize, Ordering};

    use sahm_chassis::error::Error;

    use super::*;
    use crate::page_cache::LogPosition;

    fn at(sequence: u64) -> LogState {
        let position = LogPosition { service: "config".into(), log_id: "a".into(), sequence };
        LogState { position: Some(position), is_followed: true }
    }

    fn loader_cache(state: LogState) -> (Arc<Mutex<LogState>>, LoaderCache) {
        let state = Arc::new(Mutex::new(state));
        let log = Arc::clone(&state);
        (state, LoaderCache::with_log(move |_| log.lock().unwrap().clone()))
    }

    impl LoaderCache {
        async fn get_number<F: Future<Output = Result<(i32, u32)>> + Send + 'static>(
            &self,
            key: &'static str,
            read: impl FnOnce() -> F,
        ) -> Result<Arc<i32>> {
            let response = self.get(ServiceName::Config, (key, Vec::new()), read).await?;
            Ok(response.downcast().unwrap())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn response_is_read_again_after_change_expiry_or_error() {
        let (state, cache) = loader_cache(at(1));
        let get =
            async |value| *cache.get_number("", || async move { Ok((value, 0)) }).await.unwrap();
        assert_eq!((get(1).await, get(2).await), (1, 1));
        *state.lock().unwrap() = at(2);
        assert_eq!((get(3).await, get(4).await), (3, 3));
        state.lock().unwrap().position.as_mut().unwrap().log_id = "b".into();
        assert_eq!((get(5).await, get(6).await), (5, 5));
        tokio::time::sleep(MAX_AGE).await;
        assert_eq!((get(7).await, get(8).await), (7, 7));

        // Without the change log, nothing announces a change.
        state.lock().unwrap().is_followed = false;
        assert_eq!((get(9).await, get(10).await), (9, 10));
        *state.lock().unwrap() = at(3);
        let failed = cache.get_number("", || async { Err(Error::timeout()) }).await;
        assert!(failed.is_err());
        assert_eq!((get(11).await, get(12).await), (11, 11));
    }

    #[tokio::test]
    async fn change_during_a_read_causes_another_read() {
        let (state, cache) = loader_cache(at(1));
        let changed = move || async move {
            *state.lock().unwrap() = at(2);
            Ok((1, 0))
        };
        assert_eq!(*cache.get_number("", changed).await.unwrap(), 1);
        assert_eq!(*cache.get_number("", || async { Ok((2, 0)) }).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn response_is_cached_per_key_until_it_expires() {
        let (_state, cache) = loader_cache(at(1));
        let get = async |key, value, expires_at| {
            *cache.get_number(key, || async move { Ok((value, expires_at)) }).await.unwrap()
        };
        let later = clock::now() + 3600;
        assert_eq!((get("us", 1, later).await, get("saudi", 2, later).await), (1, 2));
        assert_eq!((get("us", 3, later).await, get("saudi", 4, later).await), (1, 2));
        assert_eq!((get("all", 5, clock::now()).await, get("all", 6, later).await), (5, 6));
        assert_eq!(get("all", 7, later).await, 6);
    }

    #[tokio::test(start_paused = true)]
    async fn concurrent_misses_share_one_read_and_its_error() {
        for is_followed in [true, false] {
            let (_state, cache) = loader_cache(LogState { is_followed, ..at(1) });
            let reads = Arc::new(AtomicUsize::new(0));
            let get = |fails: bool| {
                let (cache, reads) = (cache.clone(), Arc::clone(&reads));
                async move {
                    let read = || async move {
                        reads.fetch_add(1, Ordering::SeqCst);
                        tokio::time::sleep(Duration::from_millis(300)).await;
                        if fails { Err(Error::timeout()) } else { Ok((7, 0)) }
                    };
                    cache.get_number("", read).await.map(|value| *value)
                }
            };
            let failed = futures_util::future::join_all((0..50).map(|_| get(true))).await;
            assert!(failed.iter().all(Result::is_err));
            assert_eq!(reads.load(Ordering::SeqCst), 1);
            // The first caller gives up; the read continues for the others.
            let first = tokio::time::timeout(Duration::from_millis(100), get(false));
            let others = futures_util::future::join_all((0..50).map(|_| get(false)));
            let (first, others) = tokio::join!(first, others);
            assert!(first.is_err());
            assert!(others.into_iter().all(|value| value.unwrap() == 7));
            assert_eq!(reads.load(Ordering::SeqCst), 2);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn read_started_before_a_change_is_not_used_after_it() {
        let (state, cache) = loader_cache(at(1));
        let get = |value| {
            cache.get_number("", move || async move {
                tokio::time::sleep(Duration::from_millis(300)).await;
                Ok((value, 0))
            })
        };
        let change = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            *state.lock().unwrap() = at(2);
            *get(2).await.unwrap()
        };
        let (before, after) = tokio::join!(get(1), change);
        assert_eq!((*before.unwrap(), after), (1, 2));
    }
}
