//! Settings of Redis (docs/operations/databases.md#redis).
use http::uri::Authority;
use reqwest::Url;

use super::{reader::Reader, values::Secret};

const URL: &str = "SAHM_REDIS_URL";
const SENTINELS: &str = "SAHM_REDIS_SENTINELS";
const SENTINEL_PASSWORD: &str = "SAHM_REDIS_SENTINEL_PASSWORD";

/// How the gateway connects to Redis.
#[derive(Clone, Debug)]
pub struct RedisSettings {
    /// The address of the primary. With Sentinels, its host is the primary's name.
    pub url: Secret<String>,
    /// The Sentinels, which know the primary's address; empty: the URL is the address.
    pub sentinels: Vec<SentinelAddress>,
    /// The password of the Sentinels.
    pub sentinel_password: Option<Secret<String>>,
}

/// The address of one Sentinel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentinelAddress {
    /// A name or an IP address, without brackets.
    pub host: String,
    /// Its port.
    pub port: u16,
}

impl RedisSettings {
    /// A primary at an address, without Sentinels.
    pub fn at(url: impl Into<String>) -> RedisSettings {
        let url = Secret::new(url.into());
        RedisSettings { url, sentinels: Vec::new(), sentinel_password: None }
    }

    pub(super) fn read(r: &mut Reader) -> Option<RedisSettings> {
        let url = read_url(r);
        let sentinels = r.list(SENTINELS, "a list of host:port like 10.0.0.1:26379", sentinel);
        let sentinel_password = r.optional(SENTINEL_PASSWORD).map(Secret::new);
        let is_tcp = url.as_ref().is_some_and(|url| tcp(url.expose()).is_some());
        if !sentinels.is_empty() && !is_tcp && !r.is_faulty(URL) {
            r.fault(URL, format!("redis://NAME or rediss://NAME is required with {SENTINELS}"));
        }
        if sentinel_password.is_some() && sentinels.is_empty() && !r.is_faulty(SENTINELS) {
            r.fault(SENTINELS, format!("required with {SENTINEL_PASSWORD}"));
        }
        url.map(|url| RedisSettings { url, sentinels, sentinel_password })
    }

    /// The hosts that are connected to without TLS, with the setting that names each.
    pub(super) fn plaintext_hosts(&self) -> Vec<(&'static str, String)> {
        let url = tcp(self.url.expose()).filter(|url| url.scheme() == "redis");
        let Some(host) = url.as_ref().and_then(host) else { return Vec::new() };
        if self.sentinels.is_empty() {
            return vec![(URL, host)];
        }
        self.sentinels.iter().map(|sentinel| (SENTINELS, sentinel.host.clone())).collect()
    }

    /// The host of a URL without a password; `None` also for a socket, which file permissions
    /// protect.
    pub(super) fn passwordless_host(&self) -> Option<String> {
        let url = tcp(self.url.expose())?;
        host(&url).filter(|_| url.password().unwrap_or_default().is_empty())
    }
}

fn read_url(r: &mut Reader) -> Option<Secret<String>> {
    let value = r.optional(URL)?;
    let known = ["redis://", "rediss://", "redis+unix://", "unix://"];
    if known.iter().any(|scheme| value.len() > scheme.len() && value.starts_with(scheme)) {
        return Some(Secret::new(value));
    }
    r.invalid(URL, "a URL like redis://127.0.0.1:6379");
    None
}

fn sentinel(text: &str) -> Option<SentinelAddress> {
    let authority: Authority = text.parse().ok().filter(|_| !text.contains('@'))?;
    let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
    let port = authority.port_u16().filter(|port| *port > 0)?;
    (!host.is_empty()).then_some(SentinelAddress { host, port })
}

/// The URL of a Redis that is reached over TCP; `None` for sockets.
fn tcp(url: &str) -> Option<Url> {
    url.parse().ok().filter(|url: &Url| matches!(url.scheme(), "redis" | "rediss"))
}

fn host(url: &Url) -> Option<String> {
    Some(url.host_str()?.trim_start_matches('[').trim_end_matches(']').to_owned())
}
