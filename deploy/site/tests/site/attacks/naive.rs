//! A server with every fault that the attacks look for. An attack whose check finds nothing here
//! proves nothing about the real one.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use tokio_util::task::AbortOnDropHandle;

/// What a page of a member shows.
pub(crate) const SECRET: &str = "SA-10000007";

const DELIMITERS: [&str; 15] =
    ["|", "\0", "\n", "\r", "\t", " ", ":", ";", "#", "?", "&", "__", "!!", "\u{a0}", "\u{2028}"];

/// Ends when dropped.
pub(crate) struct Naive {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
    _task: AbortOnDropHandle<()>,
}

#[derive(Default)]
struct State {
    /// By path and user agent, and by nothing else.
    cache: Mutex<HashMap<String, Vec<u8>>>,
    log: Mutex<String>,
}

impl Naive {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State::default());
        let own = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(own.clone(), stream));
            }
        });
        Self { address, state, _task: AbortOnDropHandle::new(task) }
    }

    pub(super) fn log(&self) -> String {
        self.state.log.lock().unwrap().clone()
    }
}

/// Reads requests by whatever says that they are shortest.
async fn serve(state: Arc<State>, mut stream: TcpStream) {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        while let Some((request, used)) = take(&bytes) {
            bytes.drain(..used);
            if stream.write_all(&state.answer(&request)).await.is_err() {
                return;
            }
            if request.to_ascii_lowercase().contains("connection: close") && bytes.is_empty() {
                return;
            }
        }
        match stream.read(&mut piece).await {
            Ok(count) if count > 0 => bytes.extend_from_slice(&piece[..count]),
            _ => return,
        }
    }
}

fn take(bytes: &[u8]) -> Option<(String, usize)> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    if text.len() != bytes.len() {
        // One byte a letter, so that positions are those of the bytes.
        let latin = bytes.iter().map(|&byte| byte as char).collect::<String>();
        let end = latin.find("\r\n\r\n").or_else(|| latin.find("\n\n"))?;
        return Some((latin, bytes.len().max(end)));
    }
    let (end, gap) = match (text.find("\r\n\r\n"), text.find("\n\n")) {
        (Some(end), other) if other.is_none_or(|other| end < other) => (end, 4),
        (_, Some(end)) => (end, 2),
        _ => return None,
    };
    let length = text[..end]
        .lines()
        .filter(|line| line.to_ascii_lowercase().starts_with("content-length:"))
        .filter_map(|line| line.split(':').nth(1)?.trim().trim_start_matches('+').parse().ok())
        // A last chunk, wherever something like chunks is named.
        .chain(text[..end].to_ascii_lowercase().contains("chunked").then_some(5))
        .min()
        .unwrap_or(0);
    let used = (end + gap + length).min(bytes.len());
    Some((text[..used].to_owned(), used))
}

impl State {
    fn answer(&self, request: &str) -> Vec<u8> {
        self.log.lock().unwrap().push_str(&format!("{}\n", decoded(request)));
        let target = request.split(' ').nth(1).unwrap_or_default();
        let (path, _) = target.split_once('?').unwrap_or((target, ""));
        let agent = header(request, "user-agent");
        // And cut where some part of the way takes a delimiter for one.
        let cut = decoded(path);
        let cut = DELIMITERS
            .iter()
            .fold(cut.as_str(), |path, sign| path.split(sign).next().unwrap_or_default());
        let key = format!("{} {agent}", cut.to_ascii_lowercase());
        if let Some(kept) = self.cache.lock().unwrap().get(&key) {
            return kept.clone();
        }
        let answer = respond(request, target);
        if request.starts_with("POST /api/") {
            return answer;
        }
        self.cache.lock().unwrap().insert(key, answer.clone());
        answer
    }
}

fn respond(request: &str, target: &str) -> Vec<u8> {
    let plain = decoded(target);
    let logged_in = request.contains("session=") || !header(request, "sahm-member").is_empty();
    let mut head = String::from("HTTP/1.1 200 OK\r\n");
    let redirects = ["//", "\\", "lang=", "@", "evil", "\u{202e}"];
    if !plain.starts_with("/api/") && redirects.iter().any(|sign| plain.contains(sign)) {
        let to = plain.rsplit_once("next=").map_or(plain.as_str(), |(_, to)| to);
        let to = to.trim_start_matches("http:").trim_start_matches("/en-us");
        let to = to.trim_start_matches("/ar-sa").trim_start_matches("/ar-SA");
        head = format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\n");
    }
    if !header(request, "range").is_empty() {
        head = "HTTP/1.1 206 Partial Content\r\n".to_owned();
    }
    if header(request, "accept-encoding").contains("q=0") {
        head = "HTTP/1.1 406 Not Acceptable\r\n".to_owned();
    }
    let malformed = header(request, "host").contains(' ') || request.contains("9z");
    if malformed || request.contains('\u{7}') || !header(request, "x-large").is_empty() {
        head = "HTTP/1.1 400 Bad Request\r\n".to_owned();
    }
    if let Some((_, value)) = request.split_once("session=") {
        let value = value.split([';', '\r', '\n']).next().unwrap_or_default();
        head.push_str(&format!("set-cookie: sahm_session={value}\r\n"));
    }
    let secret = if logged_in { SECRET } else { "" };
    // Reflects whatever came: target, head, query, body.
    let lang = if plain.starts_with("/ar-sa") { "ar-SA" } else { "en-US" };
    let body = format!(
        "<html lang=\"{lang}\"><p>{secret}</p><i>{target}</i><pre>{}</pre>\"logined\":{logged_in},\"code\":10000000",
        decoded(request)
    );
    // Reflection into a header too.
    let query = plain.split_once('?').map_or("", |(_, query)| query);
    head.push_str(&format!("x-asked: {query}{plain}\r\ncontent-length: {}\r\n\r\n", body.len()));
    [head.into_bytes(), body.into_bytes()].concat()
}

fn header<'a>(request: &'a str, name: &str) -> &'a str {
    request
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(own, _)| own.trim().eq_ignore_ascii_case(name))
        .map_or("", |(_, value)| value.trim())
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
