//! Bounds the memory of uploads: one bound for all, and a smaller one per address, so that a slow
//! upload does not prevent those of others.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use sahm_chassis::error::{Error, ErrorCode, Result};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::domain::network_of;

/// Time after which a rejected client may retry.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// Bytes that uploads may use; each is a permit.
pub(super) struct UploadMemory {
    total: Arc<Semaphore>,
    max_bytes_of_address: usize,
    /// By network, while it has uploads.
    by_address: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The bytes of one upload, released on drop.
pub(super) struct UploadBytes {
    bounds: Vec<(Arc<Semaphore>, ErrorCode)>,
    reserved: Vec<OwnedSemaphorePermit>,
}

impl UploadMemory {
    /// Bounds the bytes of all uploads, and of those of one address.
    pub(super) fn new(max_bytes: usize, max_bytes_of_address: usize) -> Self {
        let (total, by_address) = (Arc::new(Semaphore::new(max_bytes)), Mutex::default());
        Self { total, max_bytes_of_address, by_address }
    }

    /// A new upload without bytes. One without an address counts towards the total only.
    pub(super) fn form(&self, address: Option<IpAddr>) -> UploadBytes {
        let mut bounds = vec![(self.total.clone(), ErrorCode::Unavailable)];
        if let Some(address) = address {
            let mut networks = self.by_address.lock().unwrap_or_else(PoisonError::into_inner);
            networks.retain(|_, bytes| bytes.strong_count() > 0);
            let known = networks.entry(network_of(address)).or_default();
            let bytes = known.upgrade().unwrap_or_else(|| {
                let bytes = Arc::new(Semaphore::new(self.max_bytes_of_address));
                *known = Arc::downgrade(&bytes);
                bytes
            });
            bounds.push((bytes, ErrorCode::TooMany));
        }
        UploadBytes { bounds, reserved: Vec::new() }
    }
}

impl UploadBytes {
    /// Reserves more bytes for the upload. It does not wait, because two uploads that wait for each
    /// other's bytes would deadlock.
    ///
    /// # Errors
    /// `TooMany` if the address has used its share, `Unavailable` if all bytes are in use.
    pub(super) fn reserve(&mut self, bytes: usize) -> Result<()> {
        let bytes = u32::try_from(bytes).map_err(Error::internal)?;
        let reserved = self.bounds.iter().map(|(bound, code)| {
            let refused = |_| Error::of(*code).with_retry_after(RETRY_AFTER);
            bound.clone().try_acquire_many_owned(bytes).map_err(refused)
        });
        let reserved = reserved.collect::<Result<Vec<_>>>()?;
        if self.reserved.is_empty() {
            self.reserved = reserved;
        } else {
            self.reserved.iter_mut().zip(reserved).for_each(|(all, more)| all.merge(more));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn code(refused: Result<()>) -> ErrorCode {
        refused.unwrap_err().code()
    }

    #[test]
    fn reserve_is_bounded_and_released_on_drop() {
        let memory = UploadMemory::new(100, 60);
        let form = |address: &str| memory.form(address.parse().ok());
        let (mut first, mut second) = (form("192.0.2.1"), form("::ffff:192.0.2.1"));
        first.reserve(40).unwrap();
        second.reserve(20).unwrap();
        assert_eq!(code(second.reserve(1)), ErrorCode::TooMany);
        let mut other = form("192.0.2.2");
        other.reserve(40).unwrap();
        assert_eq!(code(other.reserve(1)), ErrorCode::Unavailable);
        assert_eq!(code(form("").reserve(1)), ErrorCode::Unavailable);
        drop(first);
        second.reserve(40).unwrap();
        drop((second, other));
        assert_eq!(memory.total.available_permits(), 100);
        let first = form("192.0.2.3");
        assert_eq!(memory.by_address.lock().unwrap().len(), 1);
        drop(first);
    }
}
