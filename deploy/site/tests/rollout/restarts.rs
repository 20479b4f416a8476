//! Rollouts: two of every process behind plain balancers, each ended and started again while
//! visitors, teams and streams go on, from one build to another and back. Nobody may notice.

use std::collections::BTreeSet;

use crate::{
    alone,
    fleet::{Fleet, Part},
    load::Load,
};

/// How often every process is restarted.
fn rounds() -> usize {
    if std::env::var_os("SAHM_PROOF").is_some() { 20 } else { 3 }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "holds every deadline on a machine of its own only: run it with --ignored"]
async fn no_request_fails_while_every_process_is_restarted() {
    let _alone = alone().await;
    let mut fleet = Fleet::start(|_| 2, Vec::new()).await;
    let load = Load::start(&fleet).await;
    for round in 0..rounds() {
        for part in Part::all() {
            for at in 0..fleet.count(part) {
                load.during(format!("round {round}, {part:?} {at}"));
                fleet.restart(part, at, (round + 1) % 2).await;
                assert!(load.wrong().is_empty(), "{}", load.report(&fleet));
            }
        }
    }
    let seen = load.end().await;
    assert!(load.wrong().is_empty(), "{}", load.report(&fleet));
    println!("{seen}");
    let ids: BTreeSet<_> = fleet.builds.ids.iter().cloned().collect();
    assert_eq!(seen.builds, ids, "pages of both builds were seen");
    assert!(seen.reconnects > 0, "streams move over when their gateway goes");
    for (what, count) in seen.asked.iter().filter(|(what, _)| **what != "stream") {
        assert!(*count > 50, "{what}: only {count}");
    }
}
