//! Rollouts: two replicas of every process are replaced one by one under load, from one build to another and back. No
//! request may fail.

use std::{collections::BTreeSet, time::Duration};

use sahm_chassis::ServiceName;
use sahm_testkit::count;

use crate::{
    alone,
    fleet::{Fleet, Part},
    kit::until,
    load::Load,
};

/// Time until a browser of the load opens a page of the new build.
const MAX_TIME_TO_NEW_BUILD: Duration = Duration::from_secs(10);

/// The order of a rollout: services first. A gateway accepts only HTML of its own build, so renderers of both builds
/// run until all gateways are replaced.
fn order(fleet: &Fleet) -> Vec<(Part, usize)> {
    let of = |part: Part| (0..fleet.count(part)).map(move |at| (part, at));
    let services = ServiceName::ALL.into_iter().map(Part::Service).flat_map(of);
    let mut renderers = of(Part::Renderer);
    let next = renderers.next();
    services.chain(next).chain(of(Part::Gateway)).chain(renderers).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_fails_while_every_process_is_restarted() {
    let _alone = alone().await;
    let mut fleet = Fleet::start(|_| 2, Vec::new()).await;
    let load = Load::start(&fleet).await;
    for round in 0..count(1, 20) as usize {
        for (part, at) in order(&fleet) {
            load.during(format!("round {round}, {part:?} {at}"));
            fleet.restart(part, at, (round + 1) % 2).await;
            assert!(load.wrong().is_empty(), "{}", load.report(&fleet));
        }
    }
    let ids: BTreeSet<_> = fleet.builds.ids.iter().cloned().collect();
    until(MAX_TIME_TO_NEW_BUILD, "pages of both builds are seen", async || load.builds() == ids)
        .await;
    let seen = load.end().await;
    assert!(load.wrong().is_empty(), "{}", load.report(&fleet));
    println!("{seen}");
    assert!(seen.a_second > 20.0, "too little load to prove anything: {seen}");
    assert!(seen.reconnects > 0, "streams move over when their gateway goes");
    for (what, count) in seen.asked.iter().filter(|(what, _)| **what != "stream") {
        assert!(*count > 15, "{what}: only {count}");
    }
}
