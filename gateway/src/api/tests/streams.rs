//! Server-sent quotes, with services in process and over TCP.

use std::time::Duration;

use axum::body::BodyDataStream;
use futures_util::StreamExt;
use http::header;

use super::fakes::{Site, json};
use super::*;
use crate::client_address::ClientAddress;

const PATH: &str = "/api/hq/stream";

/// A client that reads events.
struct Reader {
    body: BodyDataStream,
    text: String,
}

impl Reader {
    async fn open(site: &Site, codes: &str, last: Option<&str>) -> Self {
        let mut request = Request::get(format!("{}?codes={codes}", PATH));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = site.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
        let body = response.into_body().into_data_stream();
        let mut reader = Self { body, text: String::new() };
        assert_eq!(reader.block().await.unwrap(), "retry: 3000");
        reader
    }

    /// The next block; `None` at the end.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(block);
            }
            let next = tokio::time::timeout(Duration::from_secs(5), self.body.next());
            let chunk = next.await.unwrap()?.unwrap();
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Name, id, code and price of the next event.
    async fn event(&mut self) -> (String, String, String, String) {
        let block = self.block().await.unwrap();
        let field = |name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("{block}")).to_owned()
        };
        let data: serde_json::Value = serde_json::from_str(&field("data: ")).unwrap();
        let of = |name: &str| data[name].as_str().unwrap().to_owned();
        (field("event: "), field("id: "), of("securityCode"), of("price"))
    }
}

fn change(site: &Site, code: &str, price: &str) {
    let _ = site.fakes.quotes.send((code.to_owned(), price.to_owned()));
}

async fn until(what: impl Fn() -> bool) {
    for _ in 0..500 {
        if what() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never");
}

#[tokio::test]
async fn clients_get_snapshots_then_quotes_from_one_upstream() {
    for over_tcp in [false, true] {
        let site = Site::start(over_tcp).await;
        let mut first = Reader::open(&site, "2222,AAPL", None).await;
        for code in ["2222", "AAPL"] {
            let (name, _, of, price) = first.event().await;
            assert_eq!((name.as_str(), of.as_str(), price.as_str()), ("snapshot", code, "1.00"));
        }
        let mut second = Reader::open(&site, "AAPL,MSFT", None).await;
        assert_eq!(
            (second.event().await.2, second.event().await.2),
            ("AAPL".into(), "MSFT".into())
        );
        assert_eq!(*site.fakes.streams.lock().unwrap(), ["2222,AAPL", "MSFT"]);
        // One stream with all codes replaces them, and clients receive nothing new.
        until(|| site.fakes.streams.lock().unwrap().len() == 3).await;
        assert_eq!(site.fakes.streams.lock().unwrap()[2], "2222,AAPL,MSFT");
        until(|| site.fakes.quotes.receiver_count() == 1).await;
        change(&site, "AAPL", "2.00");
        for reader in [&mut first, &mut second] {
            let (name, _, code, price) = reader.event().await;
            assert_eq!((name.as_str(), code.as_str(), price.as_str()), ("quote", "AAPL", "2.00"));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn lone_client_that_reconnects_gets_only_what_changed() {
    let site = Site::start(false).await;
    let mut reader = Reader::open(&site, "2222,AAPL", None).await;
    reader.event().await;
    let last = reader.event().await.1;
    drop(reader);
    // Longer than browsers wait before they reconnect, and than compaction takes.
    tokio::time::sleep(Duration::from_secs(10)).await;
    change(&site, "2222", "2.00");
    let mut back = Reader::open(&site, "2222,AAPL", Some(&last)).await;
    let (_, id, code, price) = back.event().await;
    assert_eq!((code.as_str(), price.as_str()), ("2222", "2.00"));
    drop(back);
    // A client that is up to date receives nothing again; its next event is the next change.
    let mut same = Reader::open(&site, "2222,AAPL", Some(&id)).await;
    assert!(tokio::time::timeout(Duration::from_secs(1), same.event()).await.is_err());
    change(&site, "AAPL", "3.00");
    assert_eq!(same.event().await.2, "AAPL");
    assert_eq!(site.fakes.streams.lock().unwrap().len(), 1);
    drop(same);
    tokio::time::sleep(stream::DISCONNECT_GRACE).await;
    until(|| site.fakes.quotes.receiver_count() == 0).await;
}

#[tokio::test(start_paused = true)]
async fn clients_with_different_new_codes_are_served_concurrently_while_quotes_are_slow() {
    let site = Site::start(false).await;
    let opening = Duration::from_secs(1);
    *site.fakes.opening.lock().unwrap() = opening;
    let began = tokio::time::Instant::now();
    let codes = (0..20).map(|client| format!("C{},SAME", client % 10)).collect::<Vec<_>>();
    let readers = codes.iter().map(|codes| Reader::open(&site, codes, None));
    let mut readers = futures_util::future::join_all(readers).await;
    assert!(began.elapsed() < opening * 2, "{:?}", began.elapsed());
    for reader in &mut readers {
        reader.event().await;
        reader.event().await;
    }
    // Each new code was requested once.
    let streams = site.fakes.streams.lock().unwrap().join(",");
    assert_eq!(streams.matches("SAME").count(), 1, "{streams}");
    assert_eq!(streams.matches('C').count(), 10, "{streams}");
}

#[tokio::test(start_paused = true)]
async fn refusal_of_another_clients_code_does_not_reach_a_client() {
    let site = Site::start(false).await;
    *site.fakes.opening.lock().unwrap() = Duration::from_millis(500);
    let unknown = Request::get(format!("{}?codes=2222,NONE", PATH));
    let unknown = site.send(unknown.body(Body::empty()).unwrap());
    let (rejected, mut accepted) = tokio::join!(unknown, Reader::open(&site, "2222", None));
    assert_eq!(rejected.status(), StatusCode::BAD_REQUEST);
    assert_eq!(accepted.event().await.2, "2222");
}

#[tokio::test]
async fn reconnecting_client_gets_what_it_missed() {
    let site = Site::start(false).await;
    let mut reader = Reader::open(&site, "2222,AAPL", None).await;
    reader.event().await;
    let last = reader.event().await.1;
    drop(reader);
    let mut keeper = Reader::open(&site, "2222,AAPL", None).await;
    keeper.event().await;
    keeper.event().await;
    change(&site, "2222", "2.00");
    assert_eq!(keeper.event().await.3, "2.00");
    let mut back = Reader::open(&site, "2222,AAPL", Some(&last)).await;
    let (name, id, code, price) = back.event().await;
    assert_eq!((name.as_str(), code.as_str(), price.as_str()), ("snapshot", "2222", "2.00"));
    change(&site, "AAPL", "3.00");
    let (_, later, code, _) = back.event().await;
    assert_eq!(code, "AAPL");
    assert!(later > id, "{later} {id}");
    // Event ids of other processes are ignored.
    for other in ["00000000-99", "x"] {
        let mut other = Reader::open(&site, "2222,AAPL", Some(other)).await;
        assert_eq!((other.event().await.2, other.event().await.2), ("2222".into(), "AAPL".into()));
    }
}

#[tokio::test]
async fn invalid_codes_are_refused_before_the_stream_starts() {
    let site = Site::start(true).await;
    let many = (0..51).map(|code| code.to_string()).collect::<Vec<_>>().join(",");
    for codes in ["", ",", "A B", "NONE", "2222,NONE", &many] {
        let uri = format!("{}?codes={}", PATH, codes.replace(' ', "%20"));
        let response = site.send(Request::get(uri).body(Body::empty()).unwrap()).await;
        let (response, body) = json(response).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{codes}");
        assert!(body["data"]["fields"]["codes"].is_string(), "{codes}: {body}");
    }
    let mut reader = Reader::open(&site, "2222", None).await;
    assert_eq!(reader.event().await.2, "2222");
    let post = Request::post(PATH).body(Body::empty()).unwrap();
    assert_eq!(site.send(post).await.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn drain_ends_streams() {
    let site = Site::start(false).await;
    let mut reader = Reader::open(&site, "2222", None).await;
    reader.event().await;
    site.context.lifecycle.drain();
    assert_eq!(reader.block().await, None);
}

#[tokio::test]
async fn many_clients_share_one_upstream() {
    let site = Site::start(false).await;
    let mut readers = Vec::new();
    for _ in 0..500 {
        readers.push(Reader::open(&site, "2222,AAPL", None).await);
    }
    assert_eq!(site.fakes.streams.lock().unwrap().len(), 1);
    for reader in &mut readers {
        reader.event().await;
        reader.event().await;
    }
    for price in 0..100 {
        change(&site, "AAPL", &price.to_string());
    }
    for reader in &mut readers {
        loop {
            let (_, _, _, price) = reader.event().await;
            if price == "99" {
                break;
            }
        }
    }
}

#[tokio::test]
async fn streams_of_one_address_are_bounded() {
    let site = Site::start(false).await;
    let open = async |address: [u8; 4]| {
        let uri = format!("{}?codes=2222", PATH);
        let mut request = Request::get(uri).body(Body::empty()).unwrap();
        request.extensions_mut().insert(ClientAddress(address.into()));
        site.send(request).await
    };
    let mut streams = Vec::new();
    let refused = loop {
        let response = open([203, 0, 113, 1]).await;
        if response.status() != StatusCode::OK {
            break response;
        }
        streams.push(response);
    };
    assert_eq!((refused.status(), streams.len()), (StatusCode::TOO_MANY_REQUESTS, 1_024));
    assert_eq!(refused.headers()[header::RETRY_AFTER], "60");
    assert_eq!(open([203, 0, 113, 2]).await.status(), StatusCode::OK);
    streams.pop();
    assert_eq!(open([203, 0, 113, 1]).await.status(), StatusCode::OK);
}
