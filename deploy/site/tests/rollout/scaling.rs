//! One replica of a service becomes three, and two again: load moves within seconds, and nobody
//! notices.

use std::time::{Duration, Instant};

use sahm_chassis::ServiceName;

use crate::{
    alone,
    fleet::{Fleet, Part},
    kit::until,
    load::Load,
};

/// How soon new ones have their share, and one that goes has none.
const MOVED: Duration = Duration::from_secs(10);
const CONTENT: Part = Part::Service(ServiceName::Content);
/// Calls that the load makes all the while.
const CALLS: &str = "/sahm.content.v1.";

/// Calls that each replica has served.
fn served(fleet: &Fleet) -> Vec<usize> {
    let count = |log: &String| log.lines().filter(|line| line.contains(CALLS)).count();
    fleet.logs(CONTENT).iter().map(count).collect()
}

/// Waits until each of all replicas serves: not once by chance, but some calls each.
async fn until_shared(fleet: &Fleet, replicas: usize) -> Duration {
    let before = served(fleet);
    until(MOVED, "load moves to all replicas", async || {
        let now = served(fleet);
        let more = now.iter().zip(before.iter().chain(std::iter::repeat(&0)));
        now.len() == replicas && more.map(|(now, before)| now - before).all(|more| more >= 3)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "holds every deadline on a machine of its own only: run it with --ignored"]
async fn load_moves_to_new_replicas_and_away_from_those_that_go() {
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
    load.during("from three to two".to_owned());
    let began = Instant::now();
    fleet.take_away(CONTENT).await;
    assert!(began.elapsed() < MOVED, "{:?}", began.elapsed());
    until_shared(&fleet, 2).await;
    load.end().await;
    assert!(load.wrong().is_empty(), "{}", load.report(&fleet));
}
