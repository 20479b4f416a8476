//! Event streams over HTTP/1.1 and HTTP/2: bytes, memory per client, and their end.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use axum::extract::ConnectInfo;
use http_body_util::{BodyExt, Empty};
use hyper::Request as HyperRequest;
use hyper_util::rt::{TokioExecutor, TokioIo};
use sahm_chassis::settings::{Process, Settings};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
};

use super::fakes::Site;
use super::*;
use crate::{
    client_address::ClientAddress,
    http::server::{self, App, RequestBody},
    limits::Connections,
};

const PATH: &str = "/api/hq/stream";

/// The API without layers. Each connection has its own client address, because limits per address are tested elsewhere.
fn app(api: Arc<Api>) -> impl App {
    tower::service_fn(move |mut request: Request<RequestBody>| {
        let api = api.clone();
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let port = peer.map_or(0, |ConnectInfo(peer)| peer.port());
        let address = std::net::Ipv4Addr::from(u32::from(port));
        request.extensions_mut().insert(ClientAddress(address.into()));
        async move { Ok::<_, Infallible>(api.handle(request.map(Body::new)).await) }
    })
}

async fn serve(site: &Site) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let lifecycle = site.context.lifecycle.clone();
    let unlimited = [("SAHM_RATE_LIMITS".to_owned(), "off".to_owned())];
    let settings = Settings::from_pairs(Process::Gateway, unlimited).unwrap();
    let connections = Connections::new(&settings);
    let app = app(site.api.clone());
    let served = server::serve(listener, app, unreadable_head, connections, lifecycle);
    site.context.lifecycle.spawn("gateway", served);
    address
}

async fn connect(address: SocketAddr, codes: &str) -> TcpStream {
    send_request_head(TcpStream::connect(address).await.unwrap(), codes).await
}

async fn send_request_head(mut stream: TcpStream, codes: &str) -> TcpStream {
    let head = format!("GET {}?codes={codes} HTTP/1.1\r\nhost: x\r\n\r\n", PATH);
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Reads until the text arrives; returns everything read.
async fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut buffer));
        let count = read.await.unwrap().unwrap();
        // The text may begin in the previous read.
        let searched = all.len().saturating_sub(text.len());
        all.extend_from_slice(&buffer[..count]);
        let has_come = all[searched..].windows(text.len()).any(|part| part == text.as_bytes());
        if count == 0 || has_come {
            return String::from_utf8(all).unwrap();
        }
    }
}

/// Resident memory of this process, in bytes.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

#[tokio::test]
async fn http_1_and_2_streams_end_cleanly_on_drain() {
    let site = Site::start(false).await;
    let address = serve(&site).await;
    let mut one = connect(address, "2222").await;
    let text = read_until(&mut one, "1.00").await;
    assert!(text.contains("event: snapshot\n"), "{text}");

    let io = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.unwrap();
    let connection = tokio::spawn(connection);
    let uri = format!("http://x{}?codes=2222", PATH);
    let request = HyperRequest::get(uri).body(Empty::<Bytes>::new()).unwrap();
    let mut two = sender.send_request(request).await.unwrap().into_body();
    let mut text = Vec::new();
    while !String::from_utf8_lossy(&text).contains("1.00") {
        text.extend_from_slice(&two.frame().await.unwrap().unwrap().into_data().unwrap());
    }
    drop(sender);

    site.context.lifecycle.drain();
    // The last chunk of HTTP/1.1 and END_STREAM of HTTP/2.
    assert!(read_until(&mut one, "0\r\n\r\n").await.ends_with("0\r\n\r\n"));
    while let Some(end) = two.frame().await {
        assert!(end.unwrap().into_data().unwrap().is_empty());
    }
    drop(two);
    tokio::time::timeout(Duration::from_secs(5), connection).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn pipelined_stream_follows_earlier_responses_and_closes_the_connection() {
    let site = Site::start(false).await;
    let address = serve(&site).await;
    let mut client = TcpStream::connect(address).await.unwrap();
    let earlier = "GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n";
    client.write_all(earlier.repeat(20).as_bytes()).await.unwrap();
    // Nothing has been read yet: the responses exceed the kernel's buffers.
    let mut client = send_request_head(send_request_head(client, "2222").await, "AAPL").await;
    let text = read_until(&mut client, "event: snapshot\n").await;
    assert_eq!(text.matches("HTTP/1.1 200 OK\r\n").count(), 21);
    let (_, stream) = text.rsplit_once("HTTP/1.1").unwrap();
    for part in ["content-type: text/event-stream\r\n", "connection: close\r\n", "retry: 3000\n\n"]
    {
        assert!(stream.contains(part), "{stream}");
    }
    site.context.lifecycle.drain();
    let rest = read_until(&mut client, "nothing more").await;
    assert!(rest.ends_with("0\r\n\r\n") && !rest.contains("AAPL"), "{rest}");
}

#[tokio::test]
async fn stream_works_over_http_1_0_and_with_a_request_body() {
    let site = Site::start(false).await;
    let address = serve(&site).await;
    for (version, more) in [("1.0", ""), ("1.1", "content-length: 4\r\n"), ("1.0", "")] {
        let mut client = TcpStream::connect(address).await.unwrap();
        let head = format!("GET {}?codes=2222 HTTP/{version}\r\nhost: x\r\n{more}\r\nbody", PATH);
        client.write_all(head.as_bytes()).await.unwrap();
        let text = read_until(&mut client, "event: snapshot\n").await;
        assert!(text.starts_with(&format!("HTTP/{version} 200 OK\r\n")), "{text}");
    }
}

/// Runs a test of this file in its own process, so that memory of other tests is not measured.
fn run_alone(name: &str) {
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    let name = format!("api::tests::sockets::{name}");
    let status = alone.args(["--exact", "--ignored", &name]).status().unwrap();
    assert!(status.success());
}

#[test]
fn stream_client_uses_little_memory() {
    run_alone("measure_memory_per_stream_client");
}

#[test]
fn stalled_stream_client_uses_little_memory_and_delays_nobody() {
    run_alone("measure_memory_per_stalled_stream_client");
}

#[tokio::test]
#[ignore = "run by stream_client_uses_little_memory"]
async fn measure_memory_per_stream_client() {
    // As every process does; one huge page more or less would be 2 KiB per client.
    sahm_chassis::lifecycle::disable_huge_pages().unwrap();
    const CLIENTS: u64 = 1000;
    let site = Site::start(false).await;
    let address = serve(&site).await;
    let codes = (0..50).map(|code| format!("S{code}")).collect::<Vec<_>>().join(",");
    let mut clients = Vec::new();
    // One-time allocations precede the measurement.
    for _ in 0..100 {
        let mut client = connect(address, &codes).await;
        read_until(&mut client, "S49\",\"price\":\"1.00\"").await;
        clients.push(client);
    }
    let before = resident();
    for _ in 0..CLIENTS {
        let mut client = connect(address, &codes).await;
        read_until(&mut client, "S49\",\"price\":\"1.00\"").await;
        clients.push(client);
    }
    let each = resident().saturating_sub(before) / CLIENTS;
    // hyper's two buffers of 8 KiB, the connection, and the watched securities: 26.6 KiB measured.
    assert!(each <= 28 << 10, "{each} bytes a client");
    for price in 0..20 {
        let _ = site.fakes.quotes.send(("S7".to_owned(), format!("5.{price:02}")));
    }
    for client in &mut clients {
        read_until(client, "5.19").await;
    }
}

#[tokio::test]
#[ignore = "run by stalled_stream_client_uses_little_memory_and_delays_nobody"]
async fn measure_memory_per_stalled_stream_client() {
    sahm_chassis::lifecycle::disable_huge_pages().unwrap();
    const CLIENTS: u64 = 8;
    const ROUNDS: usize = 250;
    let site = Site::start(false).await;
    let address = serve(&site).await;
    let codes = (0..50).map(|code| format!("S{code}")).collect::<Vec<_>>();
    let all = codes.join(",");
    let mut reading = connect(address, &all).await;
    read_until(&mut reading, "S49\",\"price\":\"1.00\"").await;
    let before = resident();
    let mut stalled = Vec::new();
    for _ in 0..CLIENTS {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4 << 10).unwrap();
        stalled.push(send_request_head(socket.connect(address).await.unwrap(), &all).await);
    }
    let quote = async |reading: &mut TcpStream, round: usize| {
        for code in &codes {
            let _ = site.fakes.quotes.send((code.clone(), format!("7.{round:04}")));
        }
        // A stalled client does not delay others.
        read_until(reading, &format!("S49\",\"price\":\"7.{round:04}\"")).await;
    };
    for round in 0..ROUNDS {
        quote(&mut reading, round).await;
    }
    let each = resident().saturating_sub(before) / CLIENTS;
    assert!(each <= 512 << 10, "{each} bytes a client");

    assert_eq!(site.fakes.quotes.receiver_count(), 1);
    drop((reading, stalled));
}
