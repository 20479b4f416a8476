//! Hashing passwords off the async threads: so many at a time as there are cores, and a queue that
//! has an end.

use std::sync::Arc;

use sahm_chassis::error::{Error, Result};
use tokio::sync::Semaphore;

use crate::domain::{Password, PasswordHash, warm_up};

/// How many may wait for a core: a second or two of work.
const MAX_QUEUED: usize = 64;

/// Hashes and verifies passwords. Clones share the cores.
#[derive(Clone)]
pub struct Passwords {
    cores: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Passwords {
    /// Ready to verify, for unknown members as fast as for known ones.
    pub async fn start() -> Passwords {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let passwords = Passwords {
            cores: Arc::new(Semaphore::new(cores)),
            queue: Arc::new(Semaphore::new(MAX_QUEUED + cores)),
        };
        if let Err(error) = passwords.run(warm_up).await {
            tracing::warn!(error = ?error, "passwords not warmed up");
        }
        passwords
    }

    /// The hash of a password.
    ///
    /// Errors: `Unavailable` when too many wait.
    pub async fn hash(&self, password: Password) -> Result<PasswordHash> {
        self.run(move || password.hash()).await?
    }

    /// Whether it is the password of a hash; without one the same work is done for nothing.
    ///
    /// Errors: `Unavailable` when too many wait.
    pub async fn verify(&self, password: Password, hash: Option<PasswordHash>) -> Result<bool> {
        self.run(move || password.is_that_of(hash.as_ref())).await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let too_many = |_| Error::unavailable("too many passwords wait");
        let place = self.queue.clone().try_acquire_owned().map_err(too_many)?;
        let core = self.cores.clone().acquire_owned().await.map_err(Error::internal)?;
        // Both are held until the work is done, also when nobody waits for it any more.
        let done = tokio::task::spawn_blocking(move || {
            let _held = (place, core);
            work()
        });
        done.await.map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use sahm_chassis::ErrorCode;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_queue_has_an_end() {
        let passwords = Passwords::start().await;
        let all = passwords.queue.available_permits();
        let held = passwords.queue.clone().acquire_many_owned(u32::try_from(all).unwrap()).await;
        let tried = || Password::tried("password", "Abcdef1!").unwrap();
        let refused = passwords.verify(tried(), None).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::Unavailable);
        drop(held);
        assert!(!passwords.verify(tried(), None).await.unwrap());
        assert_eq!(passwords.queue.available_permits(), all);
    }
}
