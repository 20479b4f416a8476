//! Scales a service from one replica to three and back: load moves within seconds, and no request fails.

use std::time::{Duration, Instant};

use sahm_chassis::ServiceName;

use crate::{
    alone,
    fleet::{Fleet, Part},
    kit::until,
    load::Load,
};

/// Time within which load moves to new replicas and away from removed ones.
const REBALANCE_TIMEOUT: Duration = Duration::from_secs(10);
const CONTENT: Part = Part::Service(ServiceName::Content);

/// Number of calls that each replica has served.
async fn served(fleet: &Fleet) -> Vec<u64> {
    let is_count = |line: &&str| {
        line.starts_with("rpc_server_call_duration_seconds_count{")
            && line.contains("\"sahm.content.v1.")
    };
    let count = |line: &str| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap();
    let all = |text: &String| text.lines().filter(is_count).map(count).sum();
    fleet.metrics(CONTENT).await.iter().map(all).collect()
}

/// Waits until each replica has served several calls.
async fn until_shared(fleet: &Fleet, replicas: usize) -> Duration {
    let before = served(fleet).await;
    until(REBALANCE_TIMEOUT, "load moves to all replicas", async || {
        let now = served(fleet).await;
        let more = now.iter().zip(before.iter().chain(std::iter::repeat(&0)));
        now.len() == replicas && more.map(|(now, before)| now - before).all(|more| more >= 3)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn load_moves_to_new_replicas_and_away_from_removed_ones() {
    let _alone = alone().await;
    let mut fleet = Fleet::start(|_| 1, Vec::new()).await;
    let load = Load::start(&fleet).await;
    until_shared(&fleet, 1).await;
    load.during("from one to three".to_owned());
    fleet.add(CONTENT);
    fleet.add(CONTENT);
    fleet.until_ready(CONTENT).await;
    let took = until_shared(&fleet, 3).await;
    println!("three replicas share the load after {took:?}");
    for left in [2, 1] {
        load.during(format!("down to {left}"));
        let began = Instant::now();
        fleet.remove_last(CONTENT).await;
        assert!(began.elapsed() < REBALANCE_TIMEOUT, "{:?}", began.elapsed());
        until_shared(&fleet, left).await;
    }
    println!("{}", load.end().await);
    assert!(load.failures().is_empty(), "{}", load.report(&fleet));
}
