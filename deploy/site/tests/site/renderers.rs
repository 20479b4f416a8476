//! A hanging renderer (docs/failures.md): the real process is stopped and continued, with and without expired pages.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sahm_proto::config::v1::{ConfigItem, SetWebConfigRequest};
use sahm_testkit::process::pause;

use crate::{
    degradation::{RECOVERY_TIMEOUT, STORED, page},
    failures::assert_shell,
    kit::{Fault, Plan, Site, agent, signal, until},
    process::Sahm,
};

/// Concurrent requests for uncached pages: three times what the gateway sends to a renderer at once, so that most wait.
const CONCURRENCY: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_renderer_yields_shells_and_recovers() {
    let mut sahm = Sahm::start().await;
    let client = sahm.client();
    client.until_stored(STORED).await;
    let renderer = sahm.program.renderer().await;
    pause(renderer);
    let shell = page(&client, "/ar-sa/news/content/1002", &[]).await;
    assert_shell(&shell, "ar-SA", "news-content", "فعّل JavaScript");
    let data = page(&client, "/_data/ar-sa/news/content/1003", &[]).await;
    assert_eq!((data.status, data.cache_status()), (200, "miss"), "data needs no renderer");
    // Every request gets a response within a page's deadline.
    let paths = (0..CONCURRENCY).map(|at| format!("/en-us/support/search?keyword=word{at}"));
    let requests = paths.map(|path| {
        let client = client.clone();
        async move { page(&client, &path, &[("user-agent", agent::MOBILE)]).await }
    });
    let stored = async {
        for _ in 0..20 {
            let stored = page(&client, STORED, &[]).await;
            assert_eq!((stored.status, stored.cache_status()), (200, "hit"));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let (responses, ()) = tokio::join!(join_all(requests), stored);
    for response in responses {
        assert_shell(&response, "en-US", "support-search", "Turn on scripts");
    }
    signal("CONT", renderer);
    until(RECOVERY_TIMEOUT, "pages are rendered again", async || {
        client.get("/ar-sa/news/content/1002").await.cache_status() == "miss"
    })
    .await;
    assert_eq!(sahm.program.renderer().await, renderer);
}

/// Longer than twice the render timeout.
const HANG_DURATION: Duration = Duration::from_secs(4);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stale_pages_are_served_while_the_renderer_hangs() {
    let site = Site::start(Plan { faults: true, ..Plan::default() }).await;
    let (client, path) = (site.client(), "/en-us/news");
    client.until_stored(path).await;
    site.renderer_fault().set(Fault::HalfOpen);
    let link = "https://wa.example/966115550143";
    let item = ConfigItem {
        key: "SA_CUSTOMER_SERVICE_WHATSAPP".to_owned(),
        value: link.to_owned(),
        ..ConfigItem::default()
    };
    let request = SetWebConfigRequest { items: vec![item] };
    site.config_client().set_web_config(request).await.unwrap();
    until(RECOVERY_TIMEOUT, "the page is stale", async || {
        client.get(path).await.cache_status() == "stale"
    })
    .await;
    let began = Instant::now();
    while began.elapsed() < HANG_DURATION {
        let stale = page(&client, path, &[]).await;
        assert_eq!((stale.status, stale.cache_status()), (200, "stale"));
        assert!(!stale.text().contains(link) && !stale.text().contains("data-shell"));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    site.renderer_fault().set(Fault::None);
    until(RECOVERY_TIMEOUT, "the page is rendered again", async || {
        let response = page(&client, path, &[]).await;
        response.cache_status() == "hit" && response.text().contains(link)
    })
    .await;
}
