//! A server with every fault that the attacks exploit.
//!
//! - `reading`: parses requests. `location`: redirects. `unpacking`: decompresses bodies. `log`: log lines.

mod location;
mod log;
mod reading;
mod unpacking;

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

use self::reading::{Request, decoded};
pub(super) use self::{location::Location, log::Log};

/// A text on the page of a member.
pub(crate) const SECRET: &str = "SA-10000007";

/// Headers that identify a member.
pub(super) const BELIEVED: [&str; 10] = [
    "sahm-member",
    "sahm-session",
    "sahm-caller-address",
    "sahm-visitor",
    "sahm-user-agent",
    "sahm-caller",
    "grpc-metadata-sahm-member",
    "x-member",
    "x-user-id",
    "authorization",
];

const DELIMITERS: [&str; 15] =
    ["|", "\0", "\n", "\r", "\t", " ", ":", ";", "#", "?", "&", "__", "!!", "\u{a0}", "\u{2028}"];

/// A running server, stopped when dropped.
pub(crate) struct VulnerableServer {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
    _task: AbortOnDropHandle<()>,
}

struct State {
    /// The redirect fault, if any.
    location: Option<Location>,
    /// Cached pages by path and user agent.
    cache: Mutex<HashMap<String, Vec<u8>>>,
    log: Mutex<Log>,
}

impl VulnerableServer {
    pub(crate) async fn start() -> Self {
        Self::sending(None).await
    }

    /// Starts a server that redirects page requests.
    pub(super) async fn sending(location: Option<Location>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = State { location, cache: Mutex::default(), log: Mutex::default() };
        let state = Arc::new(state);
        let own = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(own.clone(), stream));
            }
        });
        Self { address, state, _task: AbortOnDropHandle::new(task) }
    }

    pub(super) fn log(&self) -> Log {
        self.state.log.lock().unwrap().clone()
    }
}

async fn serve(state: Arc<State>, mut stream: TcpStream) {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        while let Some((request, used)) = reading::take(&bytes) {
            bytes.drain(..used);
            if stream.write_all(&state.respond(&request)).await.is_err() {
                return;
            }
            if request.text.to_ascii_lowercase().contains("connection: close") && bytes.is_empty() {
                return;
            }
        }
        match stream.read(&mut piece).await {
            Ok(count) if count > 0 => bytes.extend_from_slice(&piece[..count]),
            _ => return,
        }
    }
}

impl State {
    fn respond(&self, request: &Request) -> Vec<u8> {
        self.log.lock().unwrap().write(request);
        let (path, _) = request.target().split_once('?').unwrap_or((request.target(), ""));
        // Truncated at a delimiter.
        let cut = decoded(path);
        let cut = DELIMITERS
            .iter()
            .fold(cut.as_str(), |path, sign| path.split(sign).next().unwrap_or_default());
        let key = format!("{} {}", cut.to_ascii_lowercase(), request.header("user-agent"));
        if let Some(cached) = self.cache.lock().unwrap().get(&key) {
            return cached.clone();
        }
        if request.text.starts_with("POST /api/") {
            return match request.header("content-encoding") {
                "" => page(request),
                codings => called(unpacking::unpacked(codings, &request.body)),
            };
        }
        let response = match self.location {
            Some(location) => elsewhere(&location.written(request)),
            None => page(request),
        };
        self.cache.lock().unwrap().insert(key, response.clone());
        response
    }
}

/// A page that reflects the request: target, head, query, body.
fn page(request: &Request) -> Vec<u8> {
    let text = &request.text;
    let plain = decoded(request.target());
    let is_believed = BELIEVED.iter().any(|name| !request.header(name).is_empty());
    let logged_in = text.contains("session=") || is_believed;
    let malformed = request.header("host").contains(' ') || text.contains("9z");
    let status = if malformed || text.contains('\u{7}') || !request.header("x-large").is_empty() {
        "400 Bad Request"
    } else if request.header("accept-encoding").contains("q=0") {
        "406 Not Acceptable"
    } else if !request.header("range").is_empty() {
        "206 Partial Content"
    } else {
        "200 OK"
    };
    let mut head = format!("HTTP/1.1 {status}\r\n");
    if let Some((_, value)) = text.split_once("session=") {
        let value = value.split([';', '\r', '\n']).next().unwrap_or_default();
        head.push_str(&format!("set-cookie: sahm_session={value}\r\n"));
    }
    let secret = if logged_in { SECRET } else { "" };
    let lang = if plain.starts_with("/ar-sa") { "ar-SA" } else { "en-US" };
    let body = format!(
        "<html lang=\"{lang}\"><p>{secret}</p><i>{}</i><pre>{}</pre>\"logined\":{logged_in},\"code\":10000000",
        request.target(),
        decoded(text)
    );
    head.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    head.into_bytes()
}

fn elsewhere(location: &[u8]) -> Vec<u8> {
    let parts = [b"HTTP/1.1 302 Found\r\nlocation: ", location, b"\r\ncontent-length: 0\r\n\r\n"];
    parts.concat()
}

/// The response to a call with a compressed body.
fn called(size: Option<usize>) -> Vec<u8> {
    let (status, body) = match size {
        Some(size) => ("200 OK", format!("{{\"code\":10000000,\"data\":{size}}}")),
        None => ("415 Unsupported Media Type", String::new()),
    };
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
