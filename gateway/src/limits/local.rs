//! Budgets in this process, bounded in number: the least recently used are evicted first.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use quick_cache::sync::Cache;

use super::{Address, RateClass, gcra};

/// Maximum number of budgets, about 100 bytes each.
const MAX_BUDGETS: usize = 100_000;

/// The budgets of addresses.
pub(super) struct Local {
    began: Instant,
    budgets: Cache<(RateClass, Address), Arc<AtomicU64>>,
}

impl Local {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), budgets: Cache::new(MAX_BUDGETS) }
    }

    /// Spends one request.
    ///
    /// # Errors
    /// The time until the budget suffices again.
    pub(super) fn spend(&self, budget: RateClass, address: Address) -> Result<(), Duration> {
        let key = (budget, address);
        let made = self.budgets.get_or_insert_with(&key, || Ok::<_, ()>(Arc::default()));
        let Ok(spent_until) = made else { return Ok(()) };
        let now = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let mut known = spent_until.load(Ordering::Relaxed);
        loop {
            let next = gcra::spend(budget, address.budgets(), known, now)?;
            let order = Ordering::Relaxed;
            match spent_until.compare_exchange_weak(known, next, order, order) {
                Ok(_) => return Ok(()),
                Err(other) => known = other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concurrent_requests_get_no_more_than_the_burst() {
        let local = Local::new();
        let granted = AtomicU64::new(0);
        let began = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        if local.spend(RateClass::Other, Address::V4(1)).is_ok() {
                            granted.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let most = 101 + u64::try_from(began.elapsed().as_millis() / 100).unwrap_or(0);
        let granted = granted.into_inner();
        assert!((100..=most).contains(&granted), "{granted}");
    }

    #[test]
    fn number_of_budgets_is_bounded_and_busy_ones_are_not_evicted() {
        let local = Local::new();
        while local.spend(RateClass::Other, Address::V4(u32::MAX)).is_ok() {}
        for address in 0..3 * u32::try_from(MAX_BUDGETS).unwrap_or(0) {
            assert!(local.spend(RateClass::Other, Address::V4(address)).is_ok());
            if address % 1_000 == 0 {
                // The flood goes on; some of it is granted with time.
                let _ = local.spend(RateClass::Other, Address::V4(u32::MAX));
            }
        }
        assert!(local.budgets.len() <= MAX_BUDGETS);
        let kept = (0..50).filter(|_| local.spend(RateClass::Other, Address::V4(u32::MAX)).is_ok());
        assert!(kept.count() < 50);
    }
}
