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

pub(super) struct Local {
    began: Instant,
    budgets: Cache<(RateClass, Address), Arc<AtomicU64>>,
}

impl Local {
    pub(super) fn new() -> Self {
        Self { began: Instant::now(), budgets: Cache::new(MAX_BUDGETS) }
    }

    /// Counts a request against a budget.
    ///
    /// # Errors
    /// The budget is exhausted; the error is the time until the next request is allowed.
    pub(super) fn check(&self, class: RateClass, address: Address) -> Result<(), Duration> {
        let key = (class, address);
        let inserted = self.budgets.get_or_insert_with(&key, || Ok::<_, ()>(Arc::default()));
        let Ok(arrival) = inserted else { return Ok(()) };
        let now = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let mut known = arrival.load(Ordering::Relaxed);
        loop {
            let next = gcra::check(class, address.budgets(), known, now)?;
            let order = Ordering::Relaxed;
            match arrival.compare_exchange_weak(known, next, order, order) {
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
    fn concurrent_requests_are_granted_no_more_than_the_burst() {
        let local = Local::new();
        let granted = AtomicU64::new(0);
        let began = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        if local.check(RateClass::Other, Address::V4(1)).is_ok() {
                            granted.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let max = 101 + u64::try_from(began.elapsed().as_millis() / 100).unwrap_or(0);
        let granted = granted.into_inner();
        assert!((100..=max).contains(&granted), "{granted}");
    }

    #[test]
    fn flood_of_addresses_evicts_no_busy_budget_and_number_is_bounded() {
        let local = Local::new();
        while local.check(RateClass::Other, Address::V4(u32::MAX)).is_ok() {}
        for address in 0..3 * u32::try_from(MAX_BUDGETS).unwrap_or(0) {
            assert!(local.check(RateClass::Other, Address::V4(address)).is_ok());
            if address % 1_000 == 0 {
                // Keeps the budget busy; some of these requests are granted as time passes.
                let _ = local.check(RateClass::Other, Address::V4(u32::MAX));
            }
        }
        assert!(local.budgets.len() <= MAX_BUDGETS);
        let kept = (0..50).filter(|_| local.check(RateClass::Other, Address::V4(u32::MAX)).is_ok());
        assert!(kept.count() < 50);
    }
}
