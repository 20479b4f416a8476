//! The HTTP provider with cache and circuit breaker, against a real server.

use std::time::Duration;

use crate::support::{Provider, Running};
use sahm_proto::quotes::v1::{BatchGetQuotesRequest, Quote};
use tonic::{Code, Status};

async fn service(provider: &Provider) -> Running {
    let url = provider.start().await;
    Running::start(&[
        ("SAHM_QUOTES_PROVIDER_URL", &url),
        ("SAHM_QUOTES_PROVIDER_TOKEN", "a-token"),
        ("SAHM_ENV", "prod"),
    ])
    .await
}

async fn quotes_of(running: &Running, codes: &str) -> Result<Vec<Quote>, Status> {
    let request = BatchGetQuotesRequest { security_codes: codes.into() };
    let mut client = running.quotes.clone();
    client.batch_get_quotes(request).await.map(|response| response.into_inner().quotes)
}

#[tokio::test]
async fn prices_are_returned_unchanged() {
    let provider = Provider::default();
    provider.set("AAPL", "1.2500");
    let running = service(&provider).await;
    let quotes = quotes_of(&running, "AAPL,2222").await.unwrap();
    let [apple, aramco] = &quotes[..] else { panic!("{quotes:?}") };
    assert_eq!((&*apple.last_price, &*apple.high_and_low), ("1.2500", "0.2500"));
    assert_eq!(&*apple.high_and_low_limited, "0.25");
    assert!(!apple.simulated && apple.is_real_time && !apple.is_old);
    assert_eq!((&*apple.volume, &*aramco.volume), ("1200", ""));
    // The provider has no price for it: the security is returned without one.
    assert_eq!((&*aramco.last_price, &*aramco.high_and_low_limited), ("", "0.00"));
    assert_eq!(provider.tokens(), [Some("Bearer a-token".to_owned())]);
}

#[tokio::test]
async fn identical_requests_are_merged_and_codes_batched() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let running = service(&provider).await;
    let gate = provider.gate.lock().await;
    let requests = (0..20).map(|_| quotes_of(&running, "AAPL"));
    let requests = futures_util::future::join_all(requests);
    let release = async {
        while provider.requested_codes().is_empty() {
            tokio::task::yield_now().await;
        }
        drop(gate);
    };
    let (responses, ()) = tokio::join!(requests, release);
    assert!(responses.iter().all(|response| response.as_ref().unwrap()[0].last_price == "1.25"));
    assert_eq!(provider.requested_codes(), [["AAPL"]]);
    // A repeated request within a second is served from memory; later the provider is called again.
    quotes_of(&running, "AAPL,MSFT").await.unwrap();
    assert_eq!(provider.requested_codes()[1..], [["MSFT"]]);
    running.clock.advance(Duration::from_secs(1));
    quotes_of(&running, "AAPL").await.unwrap();
    assert_eq!(provider.requested_codes()[2..], [["AAPL"]]);
}

#[tokio::test]
async fn failing_provider_leaves_last_quotes_marked_as_old() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let running = service(&provider).await;
    assert!(!quotes_of(&running, "AAPL").await.unwrap()[0].is_old);
    provider.fail(true);
    running.clock.advance(Duration::from_secs(1));
    let old = quotes_of(&running, "AAPL,MSFT").await.unwrap();
    assert_eq!((old.len(), &*old[0].last_price), (1, "1.25"));
    assert!(old[0].is_old && !old[0].is_real_time);
    let metrics = sahm_chassis::telemetry::prometheus_text();
    let is_shown = |name: &str| metrics.lines().any(|line| line.starts_with(name));
    assert!(is_shown("quotes_circuit_breaker_open "), "{metrics}");
    assert!(is_shown("quotes_price_age_seconds{market=\"us\"} "), "{metrics}");
    assert!(!is_shown("quotes_price_age_seconds{market=\"saudi\"} "), "closed: {metrics}");
    let status = quotes_of(&running, "MSFT").await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);

    // Enough failures open the circuit breaker, which stops requests for a while.
    for _ in 0..5 {
        running.clock.advance(Duration::from_millis(10));
        assert!(quotes_of(&running, "AAPL").await.unwrap()[0].is_old);
    }
    let request_count = provider.requested_codes().len();
    assert!(quotes_of(&running, "AAPL").await.unwrap()[0].is_old);
    assert_eq!(provider.requested_codes().len(), request_count);

    provider.fail(false);
    provider.set("AAPL", "1.30");
    running.clock.advance(Duration::from_secs(60));
    let fresh = quotes_of(&running, "AAPL").await.unwrap();
    assert_eq!((&*fresh[0].last_price, fresh[0].is_old), ("1.30", false));
}

#[tokio::test]
async fn omitted_price_keeps_its_last_value() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let running = service(&provider).await;
    quotes_of(&running, "AAPL,MSFT").await.unwrap();
    provider.set("AAPL", "no price");
    running.clock.advance(Duration::from_secs(1));
    let quotes = quotes_of(&running, "AAPL,MSFT").await.unwrap();
    assert_eq!((&*quotes[0].last_price, quotes[0].is_old), ("1.25", true));
    assert_eq!((&*quotes[1].last_price, quotes[1].is_old), ("", false));
    provider.set("AAPL", "1.30");
    running.clock.advance(Duration::from_secs(1));
    let quotes = quotes_of(&running, "AAPL").await.unwrap();
    assert_eq!((&*quotes[0].last_price, quotes[0].is_old), ("1.30", false));
}

#[tokio::test]
async fn hanging_provider_times_out() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let running = service(&provider).await;
    quotes_of(&running, "AAPL").await.unwrap();
    running.clock.advance(Duration::from_secs(1));
    let _held = provider.gate.lock().await;
    let started = std::time::Instant::now();
    assert!(quotes_of(&running, "AAPL").await.unwrap()[0].is_old);
    assert!(started.elapsed() >= Duration::from_millis(550), "{:?}", started.elapsed());
}
