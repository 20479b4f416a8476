//! The HTTP provider and the guard before it, against a real server.

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

async fn ask(running: &Running, codes: &str) -> Result<Vec<Quote>, Status> {
    let request = BatchGetQuotesRequest { security_codes: codes.into() };
    let mut client = running.quotes.clone();
    client.batch_get_quotes(request).await.map(|answer| answer.into_inner().quotes)
}

#[tokio::test]
async fn prices_pass_through_as_they_are() {
    let provider = Provider::default();
    provider.set("AAPL", "1.2500");
    let running = service(&provider).await;
    let quotes = ask(&running, "AAPL,2222").await.unwrap();
    let [apple, aramco] = &quotes[..] else { panic!("{quotes:?}") };
    assert_eq!((&*apple.last_price, &*apple.high_and_low), ("1.2500", "0.2500"));
    assert_eq!(&*apple.high_and_low_limited, "0.25");
    assert!(!apple.simulated && apple.is_real_time && !apple.is_old);
    // The provider has none: the security is there, its price is not.
    assert_eq!((&*aramco.last_price, &*aramco.high_and_low_limited), ("", "0.00"));
    assert_eq!(provider.tokens(), [Some("Bearer a-token".to_owned())]);
}

#[tokio::test]
async fn identical_asks_are_one_and_codes_go_in_fifties() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let running = service(&provider).await;
    let held = provider.gate.lock().await;
    let asks = (0..20).map(|_| ask(&running, "AAPL"));
    let asks = futures_util::future::join_all(asks);
    let release = async {
        while provider.asked().is_empty() {
            tokio::task::yield_now().await;
        }
        drop(held);
    };
    let (answers, ()) = tokio::join!(asks, release);
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap()[0].last_price == "1.25"));
    assert_eq!(provider.asked(), [["AAPL"]]);
    // Just asked for: not asked again. A second later: again.
    ask(&running, "AAPL,MSFT").await.unwrap();
    assert_eq!(provider.asked()[1..], [["MSFT"]]);
    running.clock.advance(Duration::from_secs(1));
    ask(&running, "AAPL").await.unwrap();
    assert_eq!(provider.asked()[2..], [["AAPL"]]);
}

#[tokio::test]
async fn a_provider_that_fails_leaves_the_last_known_marked_as_old() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let running = service(&provider).await;
    assert!(!ask(&running, "AAPL").await.unwrap()[0].is_old);
    provider.fail(true);
    running.clock.advance(Duration::from_secs(1));
    let old = ask(&running, "AAPL,MSFT").await.unwrap();
    assert_eq!((old.len(), &*old[0].last_price), (1, "1.25"));
    assert!(old[0].is_old && !old[0].is_real_time);
    let metrics = sahm_chassis::telemetry::prometheus_text();
    let is_shown = |name: &str| metrics.lines().any(|line| line.starts_with(name));
    assert!(is_shown("quotes_circuit_breaker_open "), "{metrics}");
    assert!(is_shown("quotes_price_age_seconds{market=\"us\"} "), "{metrics}");
    assert!(!is_shown("quotes_price_age_seconds{market=\"saudi\"} "), "closed: {metrics}");
    let status = ask(&running, "MSFT").await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);

    // Enough failures open the circuit: nothing is asked for a while.
    for _ in 0..5 {
        running.clock.advance(Duration::from_millis(10));
        assert!(ask(&running, "AAPL").await.unwrap()[0].is_old);
    }
    let asked = provider.asked().len();
    assert!(ask(&running, "AAPL").await.unwrap()[0].is_old);
    assert_eq!(provider.asked().len(), asked);

    provider.fail(false);
    provider.set("AAPL", "1.30");
    running.clock.advance(Duration::from_secs(60));
    let fresh = ask(&running, "AAPL").await.unwrap();
    assert_eq!((&*fresh[0].last_price, fresh[0].is_old), ("1.30", false));
}

#[tokio::test]
async fn a_price_that_is_left_out_stands_as_last_known() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let running = service(&provider).await;
    ask(&running, "AAPL,MSFT").await.unwrap();
    provider.set("AAPL", "no price");
    running.clock.advance(Duration::from_secs(1));
    let quotes = ask(&running, "AAPL,MSFT").await.unwrap();
    assert_eq!((&*quotes[0].last_price, quotes[0].is_old), ("1.25", true));
    assert_eq!((&*quotes[1].last_price, quotes[1].is_old), ("", false));
    provider.set("AAPL", "1.30");
    running.clock.advance(Duration::from_secs(1));
    let quotes = ask(&running, "AAPL").await.unwrap();
    assert_eq!((&*quotes[0].last_price, quotes[0].is_old), ("1.30", false));
}

#[tokio::test]
async fn a_provider_that_hangs_is_given_up() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let running = service(&provider).await;
    ask(&running, "AAPL").await.unwrap();
    running.clock.advance(Duration::from_secs(1));
    let _held = provider.gate.lock().await;
    let started = std::time::Instant::now();
    assert!(ask(&running, "AAPL").await.unwrap()[0].is_old);
    assert!(started.elapsed() >= Duration::from_millis(550), "{:?}", started.elapsed());
}
