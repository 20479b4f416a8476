//! Clients of the quote stream: a stream survives restarts of services, ends cleanly with its gateway, and then resumes
//! at the last event id.

use std::{net::SocketAddr, time::Duration};

use tokio::time::timeout;

use crate::load::Load;

/// Maximum silence; a heartbeat is sent every 15 s.
const MAX_SILENCE: Duration = Duration::from_secs(20);
/// Reconnection time of the stream (`retry: 3000`).
const RETRY_DELAY: Duration = Duration::from_secs(3);

const PATH: &str = "/api/hq/stream?codes=AAPL,MSFT,2222";

pub(crate) async fn listen(load: Load, address: SocketAddr) {
    sahm_chassis::outbound::install_tls_provider();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut last = String::new();
    let mut is_first = true;
    loop {
        let mut request = client.get(format!("http://{address}{PATH}"));
        if !last.is_empty() {
            request = request.header("last-event-id", &last);
        }
        let mut response = match timeout(MAX_SILENCE, request.send()).await {
            Ok(Ok(response)) if response.status() == 200 => response,
            other => return load.fail(PATH, format!("not opened: {other:?}")),
        };
        load.count("stream");
        if !std::mem::take(&mut is_first) {
            load.reconnected();
        }
        let mut has_snapshot = false;
        loop {
            let text = match timeout(MAX_SILENCE, response.chunk()).await {
                Ok(Ok(Some(text))) => String::from_utf8_lossy(&text).into_owned(),
                Ok(Ok(None)) => break,
                Ok(Err(error)) => return load.fail(PATH, format!("broken off: {error:?}")),
                Err(_) => return load.fail(PATH, "silent"),
            };
            has_snapshot |= text.contains("event: snapshot");
            for line in text.lines() {
                if let Some(id) = line.strip_prefix("id: ") {
                    last = id.to_owned();
                }
                load.count("line of a stream");
            }
        }
        if !has_snapshot {
            load.fail(PATH, "ended without a snapshot");
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
}
