//! Streams over TCP and in process, and the number of subscribers of one process.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use crate::support::{NOW, Provider, Running};
use futures_util::{StreamExt, future::join_all};
use sahm_chassis::{clock::Clock, error::Error};
use sahm_proto::quotes::v1::{Quote, StreamQuotesRequest, StreamQuotesResponse};
use sahm_quotes::{
    domain::{Calendar, Catalogue, Quote as DomainQuote, Session},
    feed::Feed,
    providers::{
        QuoteProvider,
        simulated::{SEED, Simulated},
    },
    seed,
};
use tonic::{Code, Streaming};

type Stream = Streaming<StreamQuotesResponse>;

async fn open(running: &Running, codes: &str) -> Stream {
    let request = StreamQuotesRequest { security_codes: codes.into() };
    running.quotes.clone().stream_quotes(request).await.unwrap().into_inner()
}

async fn next(stream: &mut Stream) -> Quote {
    stream.message().await.unwrap().unwrap().quote.unwrap()
}

async fn snapshot(stream: &mut Stream, count: usize) -> HashSet<String> {
    let mut codes = HashSet::new();
    while codes.len() < count {
        codes.insert(next(stream).await.id);
    }
    codes
}

#[tokio::test]
async fn stream_has_a_snapshot_then_changes_until_the_drain() {
    for running in [Running::start(&[]).await, Running::start_apart(&[]).await] {
        let codes = ["2222", "AAPL", "XPREIPO"];
        let mut stream = open(&running, &codes.join(",")).await;
        let received = snapshot(&mut stream, 3).await;
        assert_eq!(received, codes.map(str::to_owned).into());
        // Long enough for another trade of every US security.
        running.clock.advance(Duration::from_secs(30));
        let changed = next(&mut stream).await;
        assert_eq!(changed.id, "AAPL");
        assert!(changed.time > NOW && changed.simulated);
        // A new subscription starts with a snapshot of the same quotes.
        let mut again = open(&running, "AAPL").await;
        assert_eq!(next(&mut again).await, changed);

        running.context.lifecycle.drain();
        for stream in [&mut stream, &mut again] {
            let status = loop {
                if let Err(status) = stream.message().await {
                    break status;
                }
            };
            assert_eq!(status.code(), Code::Unavailable);
            assert!(Error::from(&status).fields().is_empty());
        }
    }
}

#[tokio::test]
async fn one_stream_covers_hundreds_of_codes() {
    let running = Running::start(&[]).await;
    let codes = seed::securities().unwrap();
    let codes = codes.iter().map(|one| one.code.to_string()).collect::<Vec<_>>();
    let mut stream = open(&running, &codes.join(",")).await;
    assert_eq!(snapshot(&mut stream, codes.len()).await.len(), codes.len());
}

#[tokio::test]
async fn old_quotes_are_streamed_as_old() {
    let provider = Provider::default();
    provider.set("AAPL", "1.25");
    let url = provider.start().await;
    let running = Running::start(&[("SAHM_QUOTES_PROVIDER_URL", &url)]).await;
    let mut stream = open(&running, "AAPL").await;
    assert!(!next(&mut stream).await.is_old);
    provider.fail(true);
    running.clock.advance(Duration::from_secs(1));
    assert!(next(&mut stream).await.is_old);
    provider.fail(false);
    provider.set("AAPL", "1.26");
    running.clock.advance(Duration::from_secs(60));
    let fresh = next(&mut stream).await;
    assert_eq!((fresh.is_old, &*fresh.last_price), (false, "1.26"));
}

fn simulated() -> Arc<Simulated> {
    Arc::new(Simulated::new(SEED, Clock::fixed(NOW), Calendar::built_in().unwrap()))
}

#[tokio::test(start_paused = true)]
async fn slow_subscriber_gets_latest_quotes_and_idle_one_heartbeats() {
    let feed = Feed::new(simulated());
    let catalogue = Catalogue::from_iter(seed::securities().unwrap());
    let securities = catalogue.after(None, None, 2);
    let mut subscription = feed.subscribe(securities.clone()).await;
    for _ in 0..2 {
        assert!(subscription.next().await.unwrap().quote.is_some());
    }
    for time in 1..=1_000 {
        let quote = DomainQuote::empty(securities[time as usize % 2].clone(), Session::Open);
        feed.publish(&DomainQuote { time, ..quote });
    }
    let times = [subscription.next().await, subscription.next().await];
    let times = times.map(|message| message.unwrap().quote.unwrap().time);
    assert_eq!(HashSet::from(times), HashSet::from([999, 1_000]));
    let before = tokio::time::Instant::now();
    assert_eq!(subscription.next().await.unwrap().quote, None);
    assert_eq!(before.elapsed().as_secs(), 15);
}

/// 10,000 subscribers of 20 securities each, 200 securities that change five times.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_subscribers_receive_changes_in_time() {
    const SUBSCRIBERS: usize = 10_000;
    const WATCHED: usize = 20;
    const SECURITIES: usize = 200;
    const ROUNDS: u32 = 5;
    let market = simulated();
    let feed = Feed::new(market.clone());
    let catalogue = Catalogue::from_iter(seed::securities().unwrap());
    let securities = catalogue.after(None, None, SECURITIES);
    let quotes = market.quotes(securities.clone()).await.unwrap();

    let started = Instant::now();
    let subscriptions = (0..SUBSCRIBERS).map(|at| {
        let watched = (0..WATCHED).map(|place| securities[(at + place * 7) % SECURITIES].clone());
        feed.subscribe(watched.collect())
    });
    let mut readers = Vec::new();
    for subscription in join_all(subscriptions).await {
        readers.push(tokio::spawn(async move {
            let mut subscription = subscription;
            let (mut messages, mut done) = (0_usize, HashSet::new());
            while done.len() < WATCHED {
                let quote = subscription.next().await.unwrap().quote.unwrap();
                messages += 1;
                if quote.time == ROUNDS {
                    done.insert(quote.id);
                }
            }
            messages
        }));
    }
    let opened = started.elapsed();

    let started = Instant::now();
    for time in 1..=ROUNDS {
        for quote in &quotes {
            feed.publish(&DomainQuote { time, ..quote.clone() });
        }
        tokio::task::yield_now().await;
    }
    let published = started.elapsed();
    let messages: usize = join_all(readers).await.into_iter().map(Result::unwrap).sum();
    let delivered = started.elapsed();
    eprintln!(
        "{SUBSCRIBERS} subscribers of {WATCHED}: opened in {opened:.2?}, {} quotes published in \
         {published:.2?}, {messages} messages read in {delivered:.2?}",
        SECURITIES * ROUNDS as usize,
    );
    assert!(messages >= SUBSCRIBERS * WATCHED);
    assert!(delivered < Duration::from_secs(60));
}
