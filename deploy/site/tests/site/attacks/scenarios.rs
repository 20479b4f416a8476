//! Attacks of several steps: guessing codes, member enumeration, session fixation and replay, floods. Each runs against
//! the site and against the vulnerable server.

use std::{net::SocketAddr, time::Duration};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::{
    vulnerable_server::VulnerableServer,
    wire::{self, RawResponse},
};
use crate::kit::{Site, until, within};

/// Members of the seed, with every account and without a password.
const MEMBER: &str = "500000007";
const OTHER: &str = "500000001";

/// Concurrent guesses of a code; five are allowed.
const GUESSES: usize = 40;

/// Number of streams that are opened and reset.
const RESETS: u32 = 3_000;

async fn post(address: SocketAddr, call: &str, cookie: &str, body: &Value) -> RawResponse {
    let mut headers = vec![("content-type", "application/json")];
    if !cookie.is_empty() {
        headers.push(("cookie", cookie));
    }
    let bytes = wire::request("POST", call, &headers, body.to_string());
    wire::send(address, &bytes).await.into_iter().next().unwrap()
}

fn session_of(response: &RawResponse) -> Option<String> {
    let set =
        response.all("set-cookie").into_iter().find(|set| set.starts_with("sahm_session="))?;
    Some(set.split(';').next().unwrap_or_default().to_owned())
}

fn credentials() -> Value {
    json!({ "account": MEMBER, "password": sahm_identity::seed::PASSWORD })
}

/// The session cookie of a member with every account.
pub(crate) async fn member(site: &Site) -> String {
    member_at(site.gateways[0].address).await
}

/// The session cookie from the gateway at an address.
pub(crate) async fn member_at(address: SocketAddr) -> String {
    let login = post(address, "/api/passport/password/login", "", &credentials()).await;
    session_of(&login).unwrap_or_else(|| panic!("{login:?}"))
}

/// Guesses a code concurrently; the right one comes too late.
async fn guess(
    address: SocketAddr,
    phone: &str,
    code: impl AsyncFn() -> String,
) -> Result<(), String> {
    let body = json!({ "telCode": "966", "phone": phone, "scene": 1 });
    post(address, "/api/passport/auth-code/send", "", &body).await;
    let code = code().await;
    let try_code = async |code: &str| {
        let body = json!({ "telCode": "966", "phone": phone, "scene": 1, "code": code });
        post(address, "/api/passport/auth-code/use", "", &body).await
    };
    let guesses = (0..GUESSES)
        .map(|at| format!("{:06}", (code.parse::<usize>().unwrap_or(0) + at + 1) % 1_000_000))
        .collect::<Vec<_>>();
    let responses = join_all(guesses.iter().map(|code| try_code(code))).await;
    if responses.iter().any(|response| response.status == 200) {
        return Err("a wrong code was accepted".to_owned());
    }
    match try_code(&code).await.status {
        200 => Err(format!("the right code was accepted after {GUESSES} wrong ones")),
        _ => Ok(()),
    }
}

/// Checks whether responses reveal who is a member.
async fn enumerate(address: SocketAddr) -> Result<(), String> {
    let password = |phone: &str| json!({ "account": phone, "password": "Wrong#2026x" });
    let plain = |phone: &str| json!({ "telCode": "966", "phone": phone, "scene": 1 });
    for (call, known, unknown) in [
        ("/api/passport/password/login", password("500000006"), password("587654321")),
        ("/api/passport/password/login", password(OTHER), password("587654322")),
        ("/api/passport/auth-code/check-recaptcha", plain("500000006"), plain("587654321")),
        ("/api/passport/auth-code/send", plain("500000005"), plain("587654323")),
    ] {
        let known = post(address, call, "", &known).await;
        let unknown = post(address, call, "", &unknown).await;
        let names = |response: &RawResponse| {
            let lines = response.head.lines().filter_map(|line| line.split_once(':'));
            lines.map(|(name, _)| name.to_ascii_lowercase()).collect::<Vec<_>>()
        };
        if (known.status, &known.body, names(&known))
            != (unknown.status, &unknown.body, names(&unknown))
        {
            return Err(format!("{call} reveals members: {} and {}", known.body, unknown.body));
        }
    }
    Ok(())
}

/// Session fixation: a session cookie from before the login must not be valid after it.
async fn fixate(address: SocketAddr) -> Result<(), String> {
    let before = "sahm_session=fixed.by-them";
    let login = post(address, "/api/passport/password/login", before, &credentials()).await;
    match session_of(&login) {
        Some(session) if session == before => {
            Err("the session that was sent stays valid".to_owned())
        }
        _ => Ok(()),
    }
}

/// Session replay: an ended session must stay invalid.
async fn replay(address: SocketAddr) -> Result<(), String> {
    let login = post(address, "/api/passport/password/login", "session=1", &credentials()).await;
    let session = session_of(&login).ok_or("no session")?;
    post(address, "/api/passport/logout", &session, &json!({})).await;
    let again = post(address, "/api/passport/member/check", &session, &json!({})).await;
    if again.body.contains("\"logined\":true") { Err("it lives".to_owned()) } else { Ok(()) }
}

/// HTTP/2 rapid reset: the server must close the connection.
async fn reset_rapidly(address: SocketAddr) -> Result<(), String> {
    let frame = |kind: u8, flags: u8, stream: u32, payload: &[u8]| {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
    };
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(frame(4, 0, 0, &[]));
    for at in 0..RESETS {
        // GET / with an authority, then CANCEL.
        bytes.extend(frame(1, 5, at * 2 + 1, &[0x82, 0x86, 0x84, 0x41, 1, b'x']));
        bytes.extend(frame(3, 0, at * 2 + 1, &8_u32.to_be_bytes()));
    }
    let mut stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
    let _ = timeout(Duration::from_secs(5), stream.write_all(&bytes)).await;
    let mut read = vec![0; 64 << 10];
    let ended = timeout(Duration::from_secs(5), async {
        while let Ok(count) = stream.read(&mut read).await {
            if count == 0 {
                break;
            }
        }
    });
    ended.await.map_err(|_| "the connection goes on".to_owned())
}

pub(crate) async fn outbox_code(site: &Site, phone: &str) -> String {
    let path = site.folder.join("services/outbox/sms.jsonl");
    let mut code = None;
    until(Duration::from_secs(5), "the code is sent", async || {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut lines =
            text.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let own = lines.find(|line| line["phone"] == phone);
        code = own.and_then(|line| line["code"].as_str().map(str::to_owned));
        code.is_some()
    })
    .await;
    code.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_guesses_of_a_code_fail() {
    let site = Site::shared().await;
    let phone = "555123401";
    let code = async || outbox_code(site, phone).await;
    assert_eq!(guess(site.gateways[0].address, phone, code).await, Ok(()));
    let vulnerable = VulnerableServer::start().await;
    assert!(guess(vulnerable.address, phone, async || "123456".to_owned()).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_do_not_reveal_membership() {
    let site = Site::shared().await;
    assert_eq!(enumerate(site.gateways[0].address).await, Ok(()));
    let vulnerable = VulnerableServer::start().await;
    assert!(enumerate(vulnerable.address).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_fixation_and_replay_fail() {
    let site = Site::shared().await;
    assert_eq!(fixate(site.gateways[0].address).await, Ok(()));
    assert_eq!(replay(site.gateways[0].address).await, Ok(()));
    let vulnerable = VulnerableServer::start().await;
    assert!(fixate(vulnerable.address).await.is_err());
    assert!(replay(vulnerable.address).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http2_rapid_reset_closes_only_its_connection() {
    let site = Site::shared().await;
    assert_eq!(reset_rapidly(site.gateways[0].address).await, Ok(()));
    let next =
        within(Duration::from_secs(2), "the next request", site.client().get("/en-us")).await;
    assert_eq!(next.status, 200);
    let vulnerable = VulnerableServer::start().await;
    assert!(reset_rapidly(vulnerable.address).await.is_err());
}
