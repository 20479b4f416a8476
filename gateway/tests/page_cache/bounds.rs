//! Capacity of both stores under a flood of pages that are requested once (docs/page-cache.md).

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream};
use sahm_chassis::{ServiceName, lifecycle};
use sahm_gateway::page_cache::CacheStatus;
use sahm_testkit::{Redis, count};

use crate::kit::{Gateway, Log, Page, Probe, config, key};

/// Number of pages that are requested repeatedly.
const HOT: usize = 1_000;
/// Capacity of each store, in bytes.
const CAP: u64 = 64 << 20;
/// Concurrent requests.
const AT_ONCE: usize = 16;

/// Deterministic pseudo-random numbers (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number in 0.0..1.0.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Zipf distribution: the n-th page is requested 1/n as often as the first.
struct Zipf(Vec<f64>);

impl Zipf {
    fn of(count: usize) -> Self {
        let mut sum = 0.0;
        let sums = (1..=count).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Self(sums.collect())
    }

    fn pick(&self, fraction: f64) -> usize {
        let at = fraction * self.0.last().copied().unwrap_or_default();
        self.0.partition_point(|sum| *sum < at)
    }
}

/// An incompressible page.
fn page() -> Arc<Page> {
    let page = Page::new(&["news:1"]);
    let mut numbers = Numbers(7);
    page.set_text(&(0..1_200).map(|_| format!("{:x}", numbers.next())).collect::<String>());
    page
}

/// Requests hot pages, each after `cold` pages that were never requested before; returns the hit ratio of the hot
/// pages.
async fn hit_ratio(
    gateway: &Gateway,
    page: &Arc<Page>,
    rounds: u32,
    cold: Option<&AtomicU64>,
) -> f64 {
    let (zipf, mut numbers, hits) = (Zipf::of(HOT), Numbers(11), AtomicU64::new(0));
    let picks = (0..rounds).map(|_| zipf.pick(numbers.fraction())).collect::<Vec<_>>();
    stream::iter(picks)
        .for_each_concurrent(AT_ONCE, async |pick| {
            if let Some(cold) = cold {
                let n = cold.fetch_add(1, Ordering::Relaxed);
                gateway.get(&key(&format!("/once/{n}")), page).await.unwrap();
                assert!(gateway.cache.metrics()["bytes"] <= CAP);
            }
            let served = gateway.get(&key(&format!("/hot/{pick}")), page).await.unwrap();
            hits.fetch_add(u64::from(served.cache_status == CacheStatus::Hit), Ordering::Relaxed);
        })
        .await;
    hits.into_inner() as f64 / f64::from(rounds)
}

/// Resident memory of this process, in bytes: the minimum within a second, so that memory of finished compressions is
/// not counted.
async fn resident() -> u64 {
    let mut least = u64::MAX;
    for _ in 0..20 {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        least = least.min(statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    least
}

/// Runs [`measure_memory_and_hit_ratio_after_flood`] in its own process, so that memory of other tests is not measured.
#[test]
fn flood_of_keys_stays_within_capacity_and_keeps_hot_entries() {
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    // Freed memory is returned to the system at once.
    alone.env("MIMALLOC_PURGE_DELAY", "0");
    let status = alone
        .args(["--exact", "--ignored", "bounds::measure_memory_and_hit_ratio_after_flood"])
        .status()
        .unwrap();
    assert!(status.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by flood_of_keys_stays_within_capacity_and_keeps_hot_entries"]
async fn measure_memory_and_hit_ratio_after_flood() {
    // As in every process of the site, before larger allocations.
    lifecycle::disable_huge_pages().unwrap();
    let redis = Redis::start().await.unwrap();
    let mut probe = Probe::of(&redis).await;
    // As in production.
    probe.run(&["CONFIG", "SET", "maxmemory", &CAP.to_string()]).await;
    probe.run(&["CONFIG", "SET", "maxmemory-policy", "allkeys-lru"]).await;
    let content = Log::start(ServiceName::Content).await;
    let mut config = config();
    config.memory_bytes = CAP;
    let gateway = Gateway::start(config, Some(&redis), vec![content.local()]).await;
    let page = page();

    for n in 0..HOT {
        gateway.get(&key(&format!("/hot/{n}")), &page).await.unwrap();
    }
    let alone = hit_ratio(&gateway, &page, 5_000, None).await;
    assert!(alone > 0.999, "{alone}");

    let flood = count(5_000, 1_000_000);
    let cold = AtomicU64::new(0);
    // Memory of concurrent fills that the allocator retains does not belong to entries.
    hit_ratio(&gateway, &page, 500, Some(&cold)).await;
    let beside_entries = resident().await.saturating_sub(gateway.cache.metrics()["bytes"]);
    let before = cold.load(Ordering::Relaxed);
    let under_it = hit_ratio(&gateway, &page, flood, Some(&cold)).await;
    let taken = resident().await.saturating_sub(beside_entries);
    assert_eq!(cold.into_inner() - before, u64::from(flood));
    // More pages were stored than fit.
    let metrics = gateway.cache.metrics();
    assert!(metrics["entries"] < u64::from(flood) / 4 * 3, "{metrics:?}");
    assert!(metrics["bytes"] <= CAP && metrics["bytes"] > CAP / 2, "{metrics:?}");
    assert!(taken <= CAP + CAP / 10, "{taken} bytes for {}", metrics["bytes"]);
    assert!(under_it >= alone - 0.01, "{under_it} of {alone}");

    let used = probe
        .eval_number("return tonumber(redis.call('INFO', 'memory'):match('used_memory:(%d+)'))");
    assert!(used.await <= CAP + CAP / 10);
    let endless = "local endless = 0
        for _, key in ipairs(redis.call('KEYS', '*')) do
          if redis.call('PTTL', key) == -1 then endless = endless + 1 end
        end
        return endless";
    assert_eq!(probe.eval_number(endless).await, 0);
    assert!(probe.eval_number("return redis.call('DBSIZE')").await > HOT as u64);
}

#[test]
fn zipf_prefers_the_first_item() {
    let (zipf, mut numbers) = (Zipf::of(HOT), Numbers(3));
    let mut requests = vec![0; HOT];
    for _ in 0..100_000 {
        requests[zipf.pick(numbers.fraction())] += 1;
    }
    // 1 / (1 + 1/2 + … + 1/1000) is 13.4 %.
    assert!((12_000..15_000).contains(&requests[0]), "{}", requests[0]);
    assert!(requests[1] > requests[20] && requests[20] > requests[900], "{requests:?}");
}
