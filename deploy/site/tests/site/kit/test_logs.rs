//! Files for `deploy/check-logs.py` in the folder `TEST_LOGS`: the logs of processes, and the telephone numbers, codes
//! and tokens that must not appear in them.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::PathBuf,
    sync::{LazyLock, Mutex},
};

use http::HeaderMap;
use serde_json::Value;

static FOLDER: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let folder = PathBuf::from(std::env::var_os("TEST_LOGS")?);
    std::fs::create_dir_all(&folder).unwrap();
    Some(folder)
});

static SECRETS: LazyLock<Option<Mutex<File>>> =
    LazyLock::new(|| file(&format!("secrets-{}.txt", std::process::id())).map(Mutex::new));

/// Fields of requests and responses whose values are secrets.
const FIELDS: [&str; 6] = ["phone", "account", "code", "password", "inviteCode", "contact"];

/// Opens a file of this name for appending.
pub(super) fn file(name: &str) -> Option<File> {
    let path = FOLDER.as_ref()?.join(name.replace('/', "-"));
    Some(OpenOptions::new().create(true).append(true).open(path).unwrap())
}

/// Records the secrets of a request and its response.
pub(super) fn record_secrets(request: &[u8], headers: &HeaderMap, response: &[u8]) {
    let Some(secrets) = &*SECRETS else { return };
    let mut found = Vec::new();
    for body in [request, response] {
        if let Ok(json) = serde_json::from_slice::<Value>(body) {
            collect(&json, &mut found);
        }
    }
    for set in headers.get_all("set-cookie") {
        let set = set.to_str().unwrap_or_default();
        let value = set.split_once("sahm_session=").map_or("", |(_, rest)| rest);
        // The token and its MAC.
        found.extend(value.split(';').next().unwrap_or_default().split('.').map(str::to_owned));
    }
    let lines: String = found.iter().map(|secret| format!("{secret}\n")).collect();
    secrets.lock().unwrap().write_all(lines.as_bytes()).unwrap();
}

fn collect(json: &Value, found: &mut Vec<String>) {
    match json {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if FIELDS.contains(&name.as_str()) => {
                        found.push(text.clone());
                    }
                    other => collect(other, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}
