//! Rollouts: two replicas of every process are replaced one by one under load, from one build to another and back. The
//! services of the other build have one more migration, which stays in place. No request may fail.

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
const NEW_BUILD_TIMEOUT: Duration = Duration::from_secs(10);

/// A column of each service's schema that only the migration of the other build creates.
const EXPANDED: [&str; 6] = [
    "content.article_text",
    "quotes.security",
    "identity.session",
    "config.config_document",
    "activity.campaign",
    "attribution.event",
];

/// The order of a rollout: services first. A gateway accepts only HTML of its own build, so renderers of both builds
/// run until all gateways are replaced.
fn order(fleet: &Fleet) -> Vec<(Part, usize)> {
    let of = |part: Part| (0..fleet.count(part)).map(move |at| (part, at));
    let services = ServiceName::ALL.into_iter().map(Part::Service).flat_map(of);
    let mut renderers = of(Part::Renderer);
    let next = renderers.next();
    services.chain(next).chain(of(Part::Gateway)).chain(renderers).collect()
}

/// Whether the schemas of all services have the other build's migration.
fn is_expanded(fleet: &Fleet) -> bool {
    let select = |table: &&str| format!("SELECT next_release FROM {table} LIMIT 1");
    let count = EXPANDED.iter().filter(|table| fleet.execute(&select(table)).is_ok()).count();
    assert!([0, EXPANDED.len()].contains(&count), "only {count} schemas are migrated");
    count > 0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_fails_while_a_release_with_migrations_is_rolled_out_and_back() {
    let _alone = alone().await;
    let mut fleet = Fleet::start(|_| 2, Vec::new()).await;
    let load = Load::start(&fleet).await;
    assert!(!is_expanded(&fleet));
    for round in 0..count(2, 20) as usize {
        let build = (round + 1) % 2;
        load.during(format!("round {round}, migration"));
        fleet.migrate(build).await;
        assert!(is_expanded(&fleet), "a rollback changes no schema");
        for (part, at) in order(&fleet) {
            load.during(format!("round {round}, {part:?} {at}"));
            fleet.restart(part, at, build).await;
            assert!(load.failures().is_empty(), "{}", load.report(&fleet));
        }
    }
    for service in ServiceName::ALL {
        for log in fleet.logs(Part::Service(service)) {
            assert!(log.contains("9999_next_release"), "{service} knows the later schema: {log}");
        }
    }
    let ids: BTreeSet<_> = fleet.builds.ids.iter().cloned().collect();
    until(NEW_BUILD_TIMEOUT, "pages of both builds are seen", async || load.builds() == ids).await;
    let statistics = load.end().await;
    assert!(load.failures().is_empty(), "{}", load.report(&fleet));
    println!("{statistics}");
    assert!(
        statistics.responses_per_second > 20.0,
        "too little load to prove anything: {statistics}"
    );
    assert!(statistics.reconnects > 0, "streams move over when their gateway goes");
    for (what, count) in statistics.requests.iter().filter(|(what, _)| **what != "stream") {
        assert!(*count > 15, "{what}: only {count}");
    }
}
