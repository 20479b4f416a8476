//! The current time, in one place so that tests can control it.
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Epoch seconds, now.
pub fn now() -> u32 {
    u32::try_from(now_millis() / 1000).unwrap_or(u32::MAX)
}

/// Epoch milliseconds, now.
pub fn now_millis() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the system")]
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// The clock of code whose time tests control.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    fixed: Option<Arc<AtomicU64>>,
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Clock {
        Clock::default()
    }

    /// A clock fixed at the given epoch seconds until a test moves it; clones share it.
    pub fn fixed(seconds: u32) -> Clock {
        Clock { fixed: Some(Arc::new(AtomicU64::new(u64::from(seconds) * 1000))) }
    }

    /// Epoch seconds.
    pub fn now(&self) -> u32 {
        u32::try_from(self.now_millis() / 1000).unwrap_or(u32::MAX)
    }

    /// Epoch milliseconds.
    pub fn now_millis(&self) -> u64 {
        match &self.fixed {
            Some(millis) => millis.load(Ordering::SeqCst),
            None => now_millis(),
        }
    }

    /// Advances a fixed clock; has no effect on the system clock.
    pub fn advance(&self, by: Duration) {
        if let Some(millis) = &self.fixed {
            millis.fetch_add(u64::try_from(by.as_millis()).unwrap_or(0), Ordering::SeqCst);
        }
    }

    /// Sets a fixed clock to epoch seconds; has no effect on the system clock.
    pub fn set(&self, seconds: u32) {
        if let Some(millis) = &self.fixed {
            millis.store(u64::from(seconds) * 1000, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn fixed_clock_changes_only_when_moved() {
        let clock = Clock::fixed(100);
        let other = clock.clone();
        assert_eq!(other.now(), 100);
        clock.advance(Duration::from_millis(1500));
        assert_eq!((other.now(), other.now_millis()), (101, 101_500));
        clock.set(7);
        assert_eq!(other.now(), 7);
    }

    #[test]
    fn system_clock_advances_in_seconds_and_milliseconds() {
        let seconds = || u32::try_from(now_millis() / 1000).unwrap();
        let before = seconds();
        assert!(before > 1_700_000_000);
        let between = [now(), Clock::system().now()];
        let after = seconds();
        assert!(between.iter().all(|time| (before..=after).contains(time)), "{between:?}");
    }
}
