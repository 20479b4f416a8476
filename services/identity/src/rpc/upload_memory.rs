//! Bounds the memory of uploads: one bound for all, and a smaller one per address, so that a slow
//! upload does not prevent those of others.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sahm_chassis::error::{Error, ErrorCode, Result};

use crate::domain::network_of;

/// Time after which a rejected client may retry.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// Bytes that uploads may use. Clones share them.
#[derive(Clone)]
pub(super) struct UploadMemory(Arc<Inner>);

struct Inner {
    max_bytes: usize,
    max_bytes_of_address: usize,
    usage: Mutex<Usage>,
}

#[derive(Default)]
struct Usage {
    bytes: usize,
    /// By network; networks without uploads have no entry.
    by_address: HashMap<String, usize>,
}

/// The bytes of one upload, released on drop.
pub(super) struct UploadBytes {
    memory: Arc<Inner>,
    network: Option<String>,
    bytes: usize,
}

impl UploadMemory {
    /// Bounds the bytes of all uploads, and of those of one address.
    pub(super) fn new(max_bytes: usize, max_bytes_of_address: usize) -> Self {
        Self(Arc::new(Inner { max_bytes, max_bytes_of_address, usage: Mutex::default() }))
    }

    /// A new upload without bytes. One without an address counts towards the total only.
    pub(super) fn form(&self, address: Option<IpAddr>) -> UploadBytes {
        UploadBytes { memory: self.0.clone(), network: address.map(network_of), bytes: 0 }
    }
}

impl UploadBytes {
    /// Reserves more bytes for the upload. It does not wait, because two uploads that wait for each
    /// other's bytes would deadlock.
    ///
    /// # Errors
    /// `TooMany` if the address has used its share, `Unavailable` if all bytes are in use.
    pub(super) fn reserve(&mut self, bytes: usize) -> Result<()> {
        let mut usage = self.memory.usage.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = |code| Err(Error::of(code).with_retry_after(RETRY_AFTER));
        if usage.bytes + bytes > self.memory.max_bytes {
            return refused(ErrorCode::Unavailable);
        }
        if let Some(network) = &self.network {
            let of_address = usage.by_address.get(network).copied().unwrap_or(0) + bytes;
            if of_address > self.memory.max_bytes_of_address {
                return refused(ErrorCode::TooMany);
            }
            usage.by_address.insert(network.clone(), of_address);
        }
        usage.bytes += bytes;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for UploadBytes {
    fn drop(&mut self) {
        let mut usage = self.memory.usage.lock().unwrap_or_else(PoisonError::into_inner);
        usage.bytes -= self.bytes;
        let Some(network) = &self.network else { return };
        if let Some(of_address) = usage.by_address.get_mut(network) {
            *of_address -= self.bytes;
            if *of_address == 0 {
                usage.by_address.remove(network);
            }
        }
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
        let usage = memory.0.usage.lock().unwrap();
        assert_eq!((usage.bytes, usage.by_address.len()), (0, 0));
    }
}
