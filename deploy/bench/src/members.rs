//! Members of a development database.

use std::net::SocketAddr;

use anyhow::Context;

use crate::client::{self, Connection};

/// Numbers of those who have a password (`services/identity/README.md`).
pub(crate) const ACCOUNTS: [&str; 6] =
    ["500000002", "500000003", "500000004", "500000005", "500000006", "500000007"];

/// Logs a member in; gives the session's cookie as a browser sends it.
pub(crate) async fn log_in(address: SocketAddr, account: &str) -> anyhow::Result<String> {
    let body = format!(r#"{{"account": "{account}", "password": "Sahm#2026dev"}}"#);
    let request = client::post("/api/passport/password/login", &[], body.as_bytes());
    let response = Connection::open(address).await?.fetch(&request).await?;
    let cookies = response.headers.iter().filter(|(name, _)| name == "set-cookie");
    let session = cookies
        .filter_map(|(_, cookie)| cookie.split(';').next())
        .find(|cookie| cookie.starts_with("sahm_session="));
    let said = || String::from_utf8_lossy(&response.body).into_owned();
    Ok(session.with_context(|| format!("not logged in: {}", said()))?.to_owned())
}
