//! What many pages show alike: read once, and again when its service's change log has gone on.

use std::{hash::Hash, sync::Arc, time::Duration};

use quick_cache::sync::Cache;
use sahm_chassis::{clock, error::Result, settings::ServiceName};
use tokio::time::Instant;

use crate::page_cache::{LogPosition, PageCache};

/// What begins or ends with time, and neither stands in the log nor is told, is seen after so long.
const MOST: Duration = Duration::from_secs(30);

/// Answers of one kind: of markets, languages.
const ANSWERS: usize = 64;

/// Where a service's log is; `None` while it is not being read.
type Position = Arc<dyn Fn() -> Option<LogPosition> + Send + Sync>;

/// Answers of a service by what was asked. Clones share them.
#[derive(Clone)]
pub(crate) struct Kept<K, T> {
    position: Position,
    answers: Arc<Cache<K, Arc<Read<T>>>>,
}

struct Read<T> {
    data: Arc<T>,
    /// Where the log was before it was read: it is as new as that, or newer.
    under: LogPosition,
    at: Instant,
    /// When it changes by itself, epoch seconds; 0 is never.
    changes_at: u32,
}

impl<K: Hash + Eq, T> Kept<K, T> {
    /// Answers of a service whose log the cache follows.
    pub(crate) fn of(service: ServiceName, cache: &PageCache) -> Self {
        let cache = cache.clone();
        Self::under(Arc::new(move || cache.followed(service)))
    }

    fn under(position: Position) -> Self {
        Self { position, answers: Arc::new(Cache::new(ANSWERS)) }
    }

    /// The answer; `read` anew where it may have changed, and for as long as its log is not read.
    /// `read` gives with it when it changes by itself, epoch seconds; 0 is never.
    ///
    /// Errors: those of `read`, of which nothing is kept.
    pub(crate) async fn get(
        &self,
        asked: K,
        read: impl Future<Output = Result<(T, u32)>>,
    ) -> Result<Arc<T>> {
        let position = (self.position)();
        if let Some(now) = &position
            && let Some(last) = self.answers.get(&asked)
            && last.under == *now
            && last.at.elapsed() < MOST
            && (last.changes_at == 0 || clock::now() < last.changes_at)
        {
            return Ok(Arc::clone(&last.data));
        }
        let at = Instant::now();
        let (data, changes_at) = read.await?;
        let data = Arc::new(data);
        if let Some(under) = position {
            let read = Read { data: Arc::clone(&data), under, at, changes_at };
            self.answers.insert(asked, Arc::new(read));
        }
        Ok(data)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Mutex;

    use sahm_chassis::error::Error;

    use super::*;

    fn at(sequence: u64) -> Option<LogPosition> {
        Some(LogPosition { service: "config".into(), log_id: "a".into(), sequence })
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_read_again_when_it_may_be_another() {
        let position = Arc::new(Mutex::new(at(1)));
        let kept = Kept::under({
            let position = Arc::clone(&position);
            Arc::new(move || position.lock().unwrap().clone())
        });
        let get = async |answer| *kept.get((), async { Ok((answer, 0)) }).await.unwrap();
        assert_eq!((get(1).await, get(2).await), (1, 1));
        *position.lock().unwrap() = at(2);
        assert_eq!((get(3).await, get(4).await), (3, 3));
        let another = LogPosition { log_id: "b".into(), ..at(2).unwrap() };
        *position.lock().unwrap() = Some(another);
        assert_eq!((get(5).await, get(6).await), (5, 5));
        tokio::time::sleep(MOST).await;
        assert_eq!((get(7).await, get(8).await), (7, 7));

        // Without a log nothing is known of what was read, nor of what is.
        *position.lock().unwrap() = None;
        assert_eq!((get(9).await, get(10).await), (9, 10));
        *position.lock().unwrap() = at(3);
        let failed = kept.get((), async { Err(Error::timeout()) }).await;
        assert!(failed.is_err());
        assert_eq!((get(11).await, get(12).await), (11, 11));
    }

    #[tokio::test]
    async fn a_change_while_reading_is_read_the_next_time() {
        let position = Arc::new(Mutex::new(at(1)));
        let kept = Kept::under({
            let position = Arc::clone(&position);
            Arc::new(move || position.lock().unwrap().clone())
        });
        let changed = async {
            *position.lock().unwrap() = at(2);
            Ok((1, 0))
        };
        assert_eq!(*kept.get((), changed).await.unwrap(), 1);
        assert_eq!(*kept.get((), async { Ok((2, 0)) }).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn an_answer_is_of_what_was_asked_and_ends_when_it_says() {
        let kept = Kept::under(Arc::new(|| at(1)));
        let get = async |asked, answer, changes_at| {
            *kept.get(asked, async { Ok((answer, changes_at)) }).await.unwrap()
        };
        let later = clock::now() + 3600;
        assert_eq!((get("us", 1, later).await, get("saudi", 2, later).await), (1, 2));
        assert_eq!((get("us", 3, later).await, get("saudi", 4, later).await), (1, 2));
        assert_eq!((get("all", 5, clock::now()).await, get("all", 6, later).await), (5, 6));
        assert_eq!(get("all", 7, later).await, 6);
    }
}
