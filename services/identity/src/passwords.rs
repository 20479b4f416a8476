//! Hashes passwords on the blocking thread pool: as many at a time as there are cores, with a
//! bounded queue.

use std::sync::Arc;

use sahm_chassis::error::{Error, Result};
use tokio::sync::Semaphore;

use crate::domain::{Password, PasswordHash, warm_up};

/// Maximum number of waiting requests: a second or two of work.
const MAX_QUEUED: usize = 64;

/// Hashes and verifies passwords. Clones share the cores.
#[derive(Clone)]
pub struct Passwords {
    cores: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Passwords {
    /// Creates the pool, warmed up so that unknown members take as long to verify as known ones.
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

    /// Hashes a password.
    ///
    /// # Errors
    /// `Unavailable` if too many requests wait.
    pub async fn hash(&self, password: Password) -> Result<PasswordHash> {
        self.run(move || password.hash()).await?
    }

    /// Whether the password matches the hash; without a hash it returns false after the same work.
    ///
    /// # Errors
    /// `Unavailable` if too many requests wait.
    pub async fn verify(&self, password: Password, hash: Option<PasswordHash>) -> Result<bool> {
        self.run(move || password.matches_hash(hash.as_ref())).await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let too_many = |_| Error::unavailable("too many passwords wait");
        let slot = self.queue.clone().try_acquire_owned().map_err(too_many)?;
        let core = self.cores.clone().acquire_owned().await.map_err(Error::internal)?;
        // The permits are held until the work is done, even if the caller has disconnected.
        let done = tokio::task::spawn_blocking(move || {
            let _permits = (slot, core);
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
    async fn full_queue_rejects_requests() {
        let passwords = Passwords::start().await;
        let all = passwords.queue.available_permits();
        let permits = passwords.queue.clone().acquire_many_owned(u32::try_from(all).unwrap()).await;
        let tried = || Password::tried("password", "Abcdef1!").unwrap();
        let refused = passwords.verify(tried(), None).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::Unavailable);
        drop(permits);
        assert!(!passwords.verify(tried(), None).await.unwrap());
        assert_eq!(passwords.queue.available_permits(), all);
    }
}
