//! Clients that send slowly, and clients that do not read responses: their timeouts and their memory
//! (docs/limits-and-timeouts.md), on a real `sahm` in its own process.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::future::join_all;
use http::Request;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    time::{sleep, timeout},
};

use crate::{kit::until, process::Sahm};

/// Interval of bytes of a slow client.
const TRICKLE_INTERVAL: Duration = Duration::from_millis(500);
/// Timeouts of a head, a body, and a client that reads nothing, with a margin for this machine.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
const BODY_TIMEOUT: Duration = Duration::from_secs(5);
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
const TIMEOUT_MARGIN: Duration = Duration::from_secs(5);

/// Slow clients of each kind; many, so that other memory of the process is small per client.
const CLIENTS: usize = 160;
/// Streams per HTTP/2 connection.
const STREAMS: usize = 20;
/// Maximum memory per client, in bytes.
const MAX_CLIENT_BYTES: u64 = 64 << 10;
/// Size of a stalled upload, and its maximum memory: identity buffers it, and chunks are in flight.
const UPLOAD_BYTES: usize = 256 << 10;
const MAX_UPLOAD_MEMORY_BYTES: u64 = 3 * UPLOAD_BYTES as u64;
/// Maximum memory of an unread response of an app.
const MAX_APP_RESPONSE_BYTES: u64 = 256 << 10;
/// Requests that one client sends without reading; the responses exceed the kernel's buffers.
const UNREAD_REQUESTS: usize = 400;

/// Sends a first part, then bytes one by one, until the server closes the connection; returns the response and the
/// duration.
async fn trickle(address: SocketAddr, first: &str) -> (String, Duration) {
    let stream = TcpStream::connect(address).await.unwrap();
    let began = Instant::now();
    let (mut read, mut write) = stream.into_split();
    let sending = async {
        if write.write_all(first.as_bytes()).await.is_err() {
            return;
        }
        while write.write_all(b"x").await.is_ok() {
            sleep(TRICKLE_INTERVAL).await;
        }
    };
    let mut response = Vec::new();
    tokio::select! {
        () = sending => {}
        _ = read.read_to_end(&mut response) => {}
    }
    (String::from_utf8_lossy(&response).into_owned(), began.elapsed())
}

/// Sends many requests and reads nothing for a while; returns the number of bytes that then arrive.
async fn unread(address: SocketAddr) -> usize {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4 << 10).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let request = "GET /en-us HTTP/1.1\r\nhost: x\r\naccept-encoding: identity\r\n\r\n";
    // Until the server stops reading, because its responses are not read.
    let _ = timeout(
        Duration::from_secs(5),
        stream.write_all(request.repeat(UNREAD_REQUESTS).as_bytes()),
    )
    .await;
    sleep(WRITE_TIMEOUT + TIMEOUT_MARGIN).await;
    let (mut count, mut piece) = (0, vec![0; 64 << 10]);
    loop {
        match timeout(TIMEOUT_MARGIN, stream.read(&mut piece)).await {
            Ok(Ok(0) | Err(_)) => return count,
            Ok(Ok(read)) => count += read,
            Err(_) => panic!("the connection goes on"),
        }
    }
}

/// Opens HTTP/2 streams on one connection without flow-control window.
async fn shut_windows(address: SocketAddr) {
    let io = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder.initial_stream_window_size(0);
    let (mut sender, connection) = builder.handshake(io).await.unwrap();
    tokio::spawn(connection);
    let mut bodies = Vec::new();
    for _ in 0..STREAMS {
        let request = Request::get("http://x/en-us").body(Empty::<Bytes>::new()).unwrap();
        sender.ready().await.unwrap();
        bodies.push(sender.send_request(request).await.unwrap().into_body());
    }
    for body in bodies {
        let ended = timeout(WRITE_TIMEOUT + TIMEOUT_MARGIN, body.collect())
            .await
            .expect("the stream goes on");
        assert!(ended.is_err(), "nothing of a page can have arrived");
    }
}

/// Resident memory of a process, in bytes.
fn resident(pid: u32) -> u64 {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

/// Resident memory once it no longer grows; a start continues in the background.
async fn settled(pid: u32) -> u64 {
    let mut last = resident(pid);
    until(WRITE_TIMEOUT, "memory settles", async || {
        sleep(Duration::from_secs(1)).await;
        let before = std::mem::replace(&mut last, resident(pid));
        last < before + (1 << 20)
    })
    .await;
    last
}

/// Asserts the memory per client since it was `before`; returns the current memory.
async fn costs_little(kind: &str, pid: u32, before: u64, limit: u64) -> u64 {
    let now = settled(pid).await;
    let each = now.saturating_sub(before) / CLIENTS as u64;
    assert!(each <= limit, "{kind}: {each} bytes each");
    now
}

async fn slow_heads(address: SocketAddr) {
    let first = "GET /en-us HTTP/1.1\r\nhost: x\r\nx-slow: ";
    for (_, took) in join_all((0..CLIENTS).map(|_| trickle(address, first))).await {
        assert!(
            took > HEAD_TIMEOUT - TIMEOUT_MARGIN && took < HEAD_TIMEOUT + TIMEOUT_MARGIN,
            "{took:?}"
        );
    }
}

async fn slow_bodies(address: SocketAddr) {
    let first = "POST /api/news/tab/list HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\
                 content-type: application/x-www-form-urlencoded\r\n\r\n";
    for (response, took) in join_all((0..CLIENTS).map(|_| trickle(address, first))).await {
        assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
        assert!(
            took > BODY_TIMEOUT - TIMEOUT_MARGIN && took < BODY_TIMEOUT + TIMEOUT_MARGIN,
            "{took:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_are_disconnected_and_use_little_memory() {
    let sahm = Sahm::start().await;
    let address = sahm.address.parse::<SocketAddr>().unwrap();
    let client = sahm.client();
    let page = client.get("/en-us").await.body.len();
    client.until_stored("/en-us").await;
    // One-time allocations precede the measurement.
    let plain = [("accept-encoding", "identity")];
    join_all((0..CLIENTS).map(|_| client.send("GET", "/en-us", &plain, ""))).await;
    let pid = sahm.program.pid();
    let mut before = settled(pid).await;
    // Each kind separately, while previous ones are still connected.
    let mut cost =
        async |kind: &str| before = costs_little(kind, pid, before, MAX_CLIENT_BYTES).await;

    let unread = tokio::spawn(async move {
        let counts = join_all((0..CLIENTS).map(|_| unread(address))).await;
        // Each was disconnected before its end.
        assert!(counts.iter().all(|count| *count < page * UNREAD_REQUESTS), "{counts:?}");
    });
    cost("unread responses").await;
    let shut = tokio::spawn(join_all((0..CLIENTS / STREAMS).map(move |_| shut_windows(address))));
    cost("streams with shut windows").await;
    let heads = tokio::spawn(slow_heads(address));
    cost("slow heads").await;
    let bodies = tokio::spawn(slow_bodies(address));
    cost("slow bodies").await;

    let began = Instant::now();
    while began.elapsed() < WRITE_TIMEOUT {
        let started = Instant::now();
        assert_eq!(client.get("/en-us").await.status, 200);
        assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
        sleep(TRICKLE_INTERVAL).await;
    }
    unread.await.unwrap();
    shut.await.unwrap();
    heads.await.unwrap();
    bodies.await.unwrap();
}

/// An app with endless responses.
async fn endless_app() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n";
                let mut sent = stream.write_all(head).await;
                while sent.is_ok() {
                    sent = stream.write_all(&[b'x'; 64 << 10]).await;
                }
            });
        }
    });
    address
}

/// Connects clients that send a request and read nothing.
async fn open_stalled(address: SocketAddr, request: impl Fn(usize) -> String) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for client in 0..CLIENTS {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4 << 10).unwrap();
        let mut stream = socket.connect(address).await.unwrap();
        let head = request(client);
        let sending = timeout(Duration::from_secs(1), stream.write_all(head.as_bytes()));
        let _ = sending.await;
        streams.push(stream);
    }
    streams
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_uploads_and_unread_app_responses_use_little_memory() {
    let app = format!("http://{}", endless_app().await);
    let sahm =
        Sahm::start_with(&[("SAHM_FEATURE_URL", &app), ("SAHM_TRUSTED_PROXIES", "127.0.0.1/32")])
            .await;
    let (address, pid) = (sahm.address.parse().unwrap(), sahm.program.pid());
    let client = sahm.client();
    join_all((0..CLIENTS).map(|_| client.get("/en-us"))).await;
    let before = settled(pid).await;

    // Each address has eight uploads with a part of a picture.
    let upload = |client| {
        let part = "--b\r\ncontent-disposition: form-data; name=\"files\"; filename=\"a.png\"\r\n\
                    content-type: image/png\r\n\r\n";
        let picture = "x".repeat(UPLOAD_BYTES);
        format!(
            "POST /api/woms/feedback/submit HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.{}\r\n\
             content-type: multipart/form-data; boundary=b\r\ncontent-length: 2097152\r\n\r\n{part}{picture}",
            client / 8,
        )
    };
    let uploads = open_stalled(address, upload).await;
    let before = costs_little("uploads", pid, before, MAX_UPLOAD_MEMORY_BYTES).await;
    let request = |client: usize| {
        format!(
            "GET /feature/endless HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.{}\r\n\r\n",
            client / 8
        )
    };
    let downloads = open_stalled(address, request).await;
    costs_little("unread responses of an app", pid, before, MAX_APP_RESPONSE_BYTES).await;
    assert_eq!(client.get("/en-us").await.status, 200);
    drop((uploads, downloads));
}
