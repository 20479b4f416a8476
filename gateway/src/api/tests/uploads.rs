//! Feedback with files, with services in process and over TCP.

use std::{io, sync::atomic::Ordering, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use serde_json::Value as Json;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};

use super::fakes::{Fakes, Site, json};
use super::*;
use crate::client_address::ClientAddress;

const PATH: &str = "/api/woms/feedback/submit";
const KIND: &str = "multipart/form-data; boundary=x";

fn text_part(name: &str, value: &str) -> Vec<u8> {
    format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").into()
}

fn file_part(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut part = format!(
        "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\
         Content-Type: image/png\r\n\r\n"
    )
    .into_bytes();
    part.extend_from_slice(bytes);
    part.extend_from_slice(b"\r\n");
    part
}

/// The text parts of the form.
fn head() -> Vec<u8> {
    ["subject", "content", "contact"].map(|name| text_part(name, "x")).concat()
}

fn form(parts: &[Vec<u8>]) -> Vec<u8> {
    [parts.concat(), b"--x--\r\n".to_vec()].concat()
}

async fn post(site: &Site, kind: &str, body: impl Into<Body>) -> (u16, Json) {
    let request = Request::post(PATH).header("content-type", kind);
    let (response, json) = json(site.send(request.body(body.into()).unwrap()).await).await;
    (response.status().as_u16(), json)
}

/// The result of the last upload, once it is known.
async fn became(site: &Site) -> Option<Result<Vec<String>, tonic::Code>> {
    for _ in 0..200 {
        if let Some(last) = site.fakes.uploads.lock().unwrap().pop() {
            return Some(last);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    None
}

#[tokio::test]
async fn form_is_forwarded_while_it_arrives() {
    for over_tcp in [false, true] {
        let site = Site::start(over_tcp).await;
        let body = form(&[
            text_part("subject", "شكوى"),
            text_part("unknown", "x"),
            text_part("content", "why"),
            text_part("contact", "a@b.co"),
            text_part("_lang", "ar-SA"),
            file_part("a.png", &vec![7; 5 << 20]),
            file_part("", b""),
            file_part("b.png", b"two"),
        ]);
        let (status, json) = post(&site, KIND, body).await;
        assert_eq!((status, &json["data"]["ticket"]), (200, &"T-1".into()), "{json}");
        let parts = became(&site).await.unwrap().unwrap();
        assert_eq!(json["msg"], "تمت العملية بنجاح");
        assert_eq!(parts[0], "head شكوى|why|a@b.co");
        assert_eq!(parts[1], "file a.png|image/png");
        let sizes = |parts: &[String]| -> usize {
            parts.iter().map(|part| part["chunk ".len()..].parse::<usize>().unwrap()).sum()
        };
        let second = parts.iter().rposition(|part| part.starts_with("file")).unwrap();
        assert_eq!(sizes(&parts[2..second]), 5 << 20);
        assert_eq!(
            (parts[second].as_str(), sizes(&parts[second + 1..])),
            ("file b.png|image/png", 3)
        );
    }
}

#[tokio::test]
async fn texts_may_follow_the_files() {
    let site = Site::start(true).await;
    let body = form(&[
        file_part("a.png", b"one"),
        text_part("subject", "s"),
        text_part("content", "c"),
        text_part("lang", "ar"),
        text_part("contact", "d"),
    ]);
    let (status, json) = post(&site, KIND, body).await;
    assert_eq!((status, &json["data"]["ticket"]), (200, &"T-1".into()), "{json}");
    let parts = became(&site).await.unwrap().unwrap();
    assert_eq!(parts, ["file a.png|image/png", "chunk 3", "head s|c|d"]);
    assert_eq!(json["msg"], "تمت العملية بنجاح");
}

/// Waits until this number of uploads has begun and all have ended.
async fn until_ended(site: &Site, uploads: usize) {
    let Fakes { begun, ended, .. } = &*site.fakes;
    for _ in 0..500 {
        let begun = begun.load(Ordering::SeqCst);
        if begun >= uploads && ended.load(Ordering::SeqCst) == begun {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{begun:?} begun, {ended:?} ended");
}

#[tokio::test]
async fn invalid_form_names_its_errors_and_is_never_taken_for_a_whole_one() {
    let small = |name: &str| file_part(name, b"x");
    let cases = [
        (form(&[file_part("a.png", &vec![7; (5 << 20) + 1])]), 400, "files[0]"),
        (form(&[small("a"), small("b"), small("c"), small("d")]), 400, "files"),
        (form(&[head(), small("a"), text_part("subject", "late")]), 400, "subject"),
        (form(&[small("a"), small("b")])[..150].to_vec(), 400, "body"),
        (form(&[small("a"), text_part("x", &"y".repeat(70_000))]), 413, "body"),
        (form(&[text_part("x", &"y".repeat(70_000))]), 413, "body"),
    ];
    for over_tcp in [false, true] {
        let site = Site::start(over_tcp).await;
        for (body, status, field) in &cases {
            let (found, json) = post(&site, KIND, body.clone()).await;
            assert_eq!((found, &json["code"]), (*status, &10000003.into()), "{json}");
            assert!(json["data"]["fields"][field].is_string(), "{field}: {json}");
        }
        // Sent after the others on the same connection, so that identity has received those too.
        assert_eq!(post(&site, KIND, form(&[head()])).await.0, 200);
        until_ended(&site, 1).await;
        let taken = site.fakes.uploads.lock().unwrap().clone();
        let whole = taken.iter().flatten().collect::<Vec<_>>();
        assert_eq!(whole, [&["head x|x|x".to_owned()]], "{taken:?}");
    }
}

#[tokio::test]
async fn upload_body_is_bounded_in_size_and_type() {
    let site = Site::start(false).await;
    for kind in ["application/json", "multipart/form-data", "multipart/mixed; boundary=x"] {
        assert_eq!(post(&site, kind, "{}").await.0, 415, "{kind}");
    }
    let announced =
        Request::post(PATH).header("content-type", KIND).header("content-length", (16 << 20) + 1);
    let response = site.send(announced.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let chunk = Bytes::from(file_part("a.png", &vec![1; 1 << 20]));
    let endless = futures_util::stream::repeat(chunk).map(Ok::<_, std::io::Error>);
    assert_eq!(post(&site, KIND, Body::from_stream(endless)).await.0, 400);
    for (part, status) in [(file_part("", b""), 413), (text_part("x", ""), 413)] {
        let chunk = Bytes::from(part.repeat(10_000));
        let endless = futures_util::stream::repeat(chunk).map(Ok::<_, std::io::Error>);
        assert_eq!(post(&site, KIND, Body::from_stream(endless)).await.0, status);
    }
    let foreign =
        Request::post(PATH).header("content-type", KIND).header("origin", "https://evil.test");
    let response = site.send(foreign.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    let get = Request::get(PATH).body(Body::empty()).unwrap();
    assert_eq!(site.send(get).await.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn early_refusal_of_the_service_is_returned() {
    for over_tcp in [false, true] {
        let site = Site::start(over_tcp).await;
        let head = form(&[
            text_part("content", "c"),
            text_part("contact", "d"),
            text_part("subject", "refuse"),
            file_part("a.png", &[1; 1000]),
        ]);
        let begun = futures_util::stream::once(async move {
            Ok::<_, std::io::Error>(Bytes::from(head[..head.len() - 20].to_vec()))
        });
        let body = begun.chain(futures_util::stream::pending());
        let (status, json) = post(&site, KIND, Body::from_stream(body)).await;
        assert_eq!((status, &json["data"]["fields"]["subject"]), (422, &"is refused".into()));
    }
}

#[tokio::test]
async fn hanging_service_times_out_after_the_time_of_a_call() {
    let site = Site::start(false).await;
    tokio::time::pause();
    for (subject, bytes) in [("never respond", 1_000), ("take no more", 4 << 20)] {
        let texts = [("subject", subject), ("content", "c"), ("contact", "d")];
        let texts = texts.map(|(name, value)| text_part(name, value)).concat();
        let began = Instant::now();
        let (status, json) =
            post(&site, KIND, form(&[texts, file_part("a.png", &vec![1; bytes])])).await;
        let took = began.elapsed();
        assert_eq!((status, &json["code"]), (504, &504.into()), "{subject}: {json}");
        assert!(took >= CALL_TIMEOUT && took < Duration::from_secs(9), "{subject}: {took:?}");
    }
}

#[tokio::test]
async fn slow_upload_may_exceed_the_time_of_a_call() {
    let site = Site::start(false).await;
    tokio::time::pause();
    let whole = form(&[head(), file_part("a.png", &[1; 1_000])]);
    let pieces = whole.chunks(200).map(Bytes::copy_from_slice).collect::<Vec<_>>();
    let slow = futures_util::stream::iter(pieces).then(async |piece| {
        sleep(Duration::from_secs(5)).await;
        Ok::<_, std::io::Error>(piece)
    });
    let began = Instant::now();
    let (status, json) = post(&site, KIND, Body::from_stream(slow)).await;
    assert_eq!((status, &json["data"]["ticket"]), (200, &"T-1".into()), "{json}");
    assert!(began.elapsed() > 3 * CALL_TIMEOUT, "{:?}", began.elapsed());
}

/// Sends the beginning of a form from an address, then stalls.
fn stalled(site: &Arc<Site>, address: &str, begin: Vec<u8>) -> JoinHandle<(u16, Json)> {
    let begun = futures_util::stream::once(async move { Ok::<_, std::io::Error>(begin.into()) });
    let body = Body::from_stream(begun.chain(futures_util::stream::pending::<io::Result<Bytes>>()));
    let (site, address) = (site.clone(), address.to_owned());
    tokio::spawn(async move { post_from(&site, &address, body).await })
}

async fn post_from(site: &Site, address: &str, body: impl Into<Body>) -> (u16, Json) {
    let request = Request::post(PATH).header("content-type", KIND);
    let mut request = request.body(body.into()).unwrap();
    request.extensions_mut().insert(ClientAddress(address.parse().unwrap()));
    let (response, json) = json(site.send(request).await).await;
    (response.status().as_u16(), json)
}

#[tokio::test]
async fn idle_uploads_of_one_address_do_not_block_other_addresses() {
    for over_tcp in [false, true] {
        let site = Arc::new(Site::start(over_tcp).await);
        let begin = text_part("subject", "x")[..30].to_vec();
        let mut idle = FuturesUnordered::new();
        for _ in 0..9 {
            idle.push(stalled(&site, "203.0.113.1", begin.clone()));
        }
        // One more than the share of an address is rejected at once.
        let refused = tokio::time::timeout(Duration::from_secs(5), idle.next()).await;
        let (status, json) = refused.expect("not refused").unwrap().unwrap();
        assert_eq!((status, &json["code"]), (503, &503.into()));
        assert_eq!(post_from(&site, "203.0.113.2", form(&[head()])).await.0, 200);
        assert_eq!(site.fakes.begun.load(Ordering::SeqCst), 1, "an idle form reached identity");
        idle.iter().for_each(JoinHandle::abort);
        while idle.next().await.is_some() {}
        assert_eq!(post_from(&site, "203.0.113.1", form(&[head()])).await.0, 200);
    }
}

#[tokio::test]
async fn stalled_upload_times_out_after_30_seconds() {
    let site = Arc::new(Site::start(false).await);
    tokio::time::pause();
    for begin in [Vec::new(), [head(), file_part("a.png", &[1; 1000])].concat()] {
        let began = Instant::now();
        let (status, json) = stalled(&site, "203.0.113.1", begin).await.unwrap();
        assert_eq!((status, &json["code"]), (408, &10000003.into()), "{json}");
        assert_eq!(began.elapsed().as_secs(), 30);
    }
}

#[tokio::test]
async fn disconnected_client_cancels_its_upload() {
    for over_tcp in [false, true] {
        let site = Site::start(over_tcp).await;
        let head = form(&[head(), file_part("a.png", &[1; 100_000])]);
        let begun = futures_util::stream::once(async move {
            Ok::<_, std::io::Error>(Bytes::from(head[..90_000].to_vec()))
        });
        let body = begun.chain(futures_util::stream::pending());
        let sent = post(&site, KIND, Body::from_stream(body));
        assert!(tokio::time::timeout(Duration::from_millis(300), sent).await.is_err());
        until_ended(&site, 1).await;
        let taken = site.fakes.uploads.lock().unwrap().clone();
        assert!(taken.iter().all(Result::is_err), "{over_tcp} {taken:?}");
    }
}
