//! The site with remote services: over TCP, on PostgreSQL, with Redis. It must be equal to the all-in-one.

use serde_json::Value;

use crate::{
    kit::{Form, Plan, Site},
    pages,
};

const REMOTE: Plan = Plan {
    form: Form::Tcp,
    gateways: 1,
    redis: true,
    postgres: true,
    renderer: true,
    own_postgres: false,
    pgbouncer: false,
    faults: false,
    cdn: None,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn remote_services_serve_the_same_site() {
    let site = Site::start(REMOTE).await;
    let client = site.client();
    pages::check_all(&client).await;

    // Page data of both forms, except times of rendering and of seeding.
    let direct = Site::shared().await.client();
    for path in ["/_data/", "/_data/ar-sa/news", "/_data/en-us/news/content/1001"] {
        let (mut here, mut there) = (direct.get(path).await.json(), client.get(path).await.json());
        for data in [&mut here, &mut there] {
            data["document"] = pages::timeless(data["document"].take());
        }
        assert_eq!(settled(here), settled(there), "{path}");
    }
    for call in [
        "/api/news/tab/list",
        "/api/news/content/info/list?market=us&size=50&lang=ar",
        "/api/news/content/detail?id=999999",
        "/api/news/content/detail?id=x",
        "/api/config/rest/menu",
        "/api/basic/country/tel-codes",
        "/api/config/rest/web?keys=SA_CUSTOMER_SERVICE_PHONE&ctype=commons",
        "/api/no/such/call",
    ] {
        let (here, there) = (direct.get(call).await, client.get(call).await);
        assert_eq!(here.status, there.status, "{call}");
        assert_eq!(settled(here.json()), settled(there.json()), "{call}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn remote_services_cache_pages_alike() {
    let site = Site::start(REMOTE).await;
    let client = site.client();
    let how = async || client.get("/en-us/news").await.cache_status().to_owned();
    assert_eq!(how().await, "miss");
    let before = (site.counts.calls(), site.counts.renders());
    assert!(!before.0.is_empty(), "calls over TCP are counted");
    for _ in 0..10 {
        assert_eq!(how().await, "hit");
    }
    assert_eq!((site.counts.calls(), site.counts.renders()), before);
}

/// Removes values that differ between starts: times and counts.
fn settled(mut json: Value) -> Value {
    match &mut json {
        Value::Object(map) => {
            for moving in ["renderedAt", "updatedAt", "readCount", "nextCursor", "jsonLd"] {
                map.remove(moving);
            }
            for value in map.values_mut() {
                *value = settled(value.take());
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| *value = settled(value.take())),
        _ => {}
    }
    json
}
