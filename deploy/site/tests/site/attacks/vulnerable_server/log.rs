//! Log lines of requests, without escaping.

use serde_json::Value;

use super::reading::{Request, decoded};

/// The log lines so far, as text and as JSON.
#[derive(Clone, Default)]
pub(in crate::attacks) struct Log {
    pub(in crate::attacks) text: String,
    pub(in crate::attacks) json: String,
}

impl Log {
    pub(super) fn write(&mut self, request: &Request) {
        let path = decoded(request.target());
        let agent = decoded(request.header("user-agent"));
        let report = match serde_json::from_slice::<Value>(&request.body) {
            Ok(Value::Object(fields)) => {
                fields.values().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        self.text.push_str(&format!("INFO {path} {agent} {report}\n"));
        self.json.push_str(&format!(
            "{{\"level\":\"INFO\",\"path\":\"{path}\",\"agent\":\"{agent}\",\"report\":\"{report}\"}}\n"
        ));
    }
}
