//! Log injection: requests that forge log lines or control the reader's terminal.

use std::time::Duration;

use serde_json::{Value, json};

use super::{vulnerable_server::VulnerableServer, wire};
use crate::{
    kit::{Folder, Program, pairs, until},
    process::settings,
};

/// Time within which the requests are logged.
const LOG_TIMEOUT: Duration = Duration::from_secs(5);

const FORGED: &str = "x-canary";

/// Texts that forge text lines by line ends or terminal controls, and JSON lines by quotes.
const TEXTS: [&str; 5] = [
    "a\nx-canary: forged",
    "a\r\nx-canary: forged",
    "\u{1b}[2Jx-canary",
    "\",\"level\":\"x-canary",
    "\"}\n{\"level\":\"INFO\",\"path\":\"x-canary\",\"x\":\"",
];

/// Fields of an error report.
const FIELDS: [&str; 4] = ["message", "stack", "url", "build"];

/// One request.
struct Forger {
    /// A text that only the log lines of this request contain.
    mark: String,
    text: &'static str,
    place: &'static str,
    bytes: Vec<u8>,
}

fn escaped(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric();
    let one =
        |byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") };
    text.bytes().map(one).collect()
}

fn forgers() -> Vec<Forger> {
    let mut forgers = Vec::<Forger>::new();
    for text in TEXTS {
        for place in ["path", "call", "agent"].into_iter().chain(FIELDS) {
            let mark = format!("forger-{:02}", forgers.len());
            let path = escaped(text);
            let bytes = match place {
                "path" => wire::get(&format!("/{mark}-{path}"), &[]),
                "call" => wire::get(&format!("/api/{mark}-{path}"), &[]),
                "agent" => wire::get(&format!("/{mark}"), &[("user-agent", &path)]),
                field => {
                    let mut report = json!({ "message": "", "stack": "at f" });
                    report[field] = text.into();
                    let message = report["message"].as_str().unwrap_or_default();
                    report["message"] = format!("{mark} {message}").into();
                    let headers = [("content-type", "application/json")];
                    wire::request("POST", "/api/log/report", &headers, report.to_string())
                }
            };
            forgers.push(Forger { mark, text, place, bytes });
        }
    }
    forgers
}

/// Text lines that begin with sent text, or contain terminal controls.
fn forged_text(log: &str) -> Vec<&str> {
    let forged = |line: &&str| line.starts_with(FORGED) || line.contains('\u{1b}');
    log.lines().filter(forged).collect()
}

/// JSON lines that are not an object with one of our levels, or contain a forged path.
fn forged_json(log: &str) -> Vec<&str> {
    #[derive(serde::Deserialize)]
    struct Line {
        // A repeated key invalidates the line.
        level: String,
        #[serde(default)]
        path: String,
    }
    let levels = ["error", "warn", "info", "debug", "trace"];
    let forged = |line: &&str| match serde_json::from_str::<Line>(line) {
        Ok(line) => {
            !levels.contains(&line.level.to_ascii_lowercase().as_str()) || line.path == FORGED
        }
        Err(_) => true,
    };
    log.lines().filter(forged).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attacks_cannot_forge_log_lines() {
    let daily = pairs([
        ("SAHM_ENV", "daily"),
        ("SAHM_SESSION_KEYS", "of-the-test-and-of-nothing-else-0123"),
        ("SAHM_CALLER_TOKENS", "gateway=of-the-test-and-of-nothing-else"),
    ]);
    type Check = fn(&str) -> Vec<&str>;
    // Logs are text in `dev`, JSON elsewhere.
    let environments: [(_, Check); 2] = [(Vec::new(), forged_text), (daily, forged_json)];
    let forgers = forgers();
    for (own, forged) in environments {
        let folder = Folder::new();
        let mut settings = settings(&folder);
        settings.extend(own);
        let mut sahm = Program::start("sahm", settings);
        let address = sahm.wait_for_output("ready http://").await.parse().unwrap();
        for forger in &forgers {
            wire::send(address, &forger.bytes).await;
        }
        // The requests must have been logged.
        let unlogged = |log: &str| {
            let missing = forgers.iter().find(|forger| !log.contains(&*forger.mark));
            missing.map(|forger| format!("{} {}", forger.place, forger.mark))
        };
        until(LOG_TIMEOUT, "each is logged", async || unlogged(&sahm.log()).is_none()).await;
        let log = sahm.log();
        assert_eq!(forged(&log), [""; 0], "{log}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_forging_attacks_succeed_on_the_vulnerable_server() {
    let mut blind = Vec::new();
    for forger in forgers() {
        let vulnerable = VulnerableServer::start().await;
        wire::send(vulnerable.address, &forger.bytes).await;
        let log = vulnerable.log();
        let for_people = forger.text.contains(['\u{1b}']) || forger.text.contains("\nx-canary");
        if forged_json(&log.json).is_empty() || (for_people && forged_text(&log.text).is_empty()) {
            blind.push(format!("{} {:?}", forger.place, forger.text));
        }
    }
    assert!(blind.is_empty(), "{} find nothing:\n{}", blind.len(), blind.join("\n"));
    // Valid lines.
    let line = Value::from("\n\u{1b}[2J\",\"level\":\"x-canary").to_string();
    let line = format!("{{\"level\":\"INFO\",\"path\":{line}}}");
    assert!(forged_json(&line).is_empty() && forged_text(&line).is_empty());
}
