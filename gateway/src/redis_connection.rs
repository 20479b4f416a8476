//! The connection to Redis: a single, multiplexed connection, with a timeout for each call and a circuit breaker. It
//! leads to the primary, whose address is fixed or known to Sentinels.
//!
//! redis' `ConnectionManager` reconnects only after I/O errors. A server that became a replica, or that hangs, needs a
//! new connection too: [`Redis::run`] opens it; until then, calls fail at once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context as _;
use arc_swap::ArcSwapOption;
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, ErrorKind, IntoConnectionInfo,
    RedisConnectionInfo, RedisError, RedisResult, TlsMode,
    aio::{MultiplexedConnection, PubSub},
    sentinel::{SentinelClient, SentinelNodeConnectionInfo, SentinelServerType},
};
use sahm_chassis::{settings::RedisSettings, telemetry::DatabaseCall};
use tokio::{
    sync::{Mutex, watch},
    time::timeout,
};

/// Timeout of a call that no request waits for.
pub(crate) const REDIS_TIMEOUT_BACKGROUND: Duration = Duration::from_millis(500);
/// Consecutive timeouts that open the circuit breaker: the connection is dropped.
const MAX_TIMEOUTS: u32 = 3;
const TIMEOUT_STEP: Duration = Duration::from_millis(5);
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);
/// Timeout of looking up the primary. All Sentinels are called concurrently; one that hangs costs up to 1.5 s, the
/// default timeouts of redis.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(2);
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);
const MIN_BACKOFF: Duration = Duration::from_millis(100);
const MAX_BACKOFF: Duration = Duration::from_secs(1);

/// Error codes of a server that is not, or no longer, the primary: after a failover, while it loads its data, without a
/// quorum.
const NOT_PRIMARY: [&str; 5] = ["READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "UNBLOCKED"];
/// Key written on each new connection, because a replica also responds to reads and pings.
const WRITE_PROBE: &str = "sahm:write-probe";

/// Redis, which may be unavailable at any time.
pub(crate) struct Redis {
    primary: Primary,
    connection: ArcSwapOption<MultiplexedConnection>,
    /// Timeouts since the last response.
    timeouts: AtomicU32,
    is_up: watch::Sender<bool>,
    errors: AtomicU64,
    /// Index of the database.
    database: String,
    /// Host and port in the URL.
    address: String,
}

impl Redis {
    /// Connects when [`Redis::run`] is polled.
    ///
    /// # Errors
    /// The URL is not a Redis URL.
    pub(crate) fn new(settings: &RedisSettings) -> RedisResult<Self> {
        let url = settings.url.expose().as_str().into_connection_info()?;
        Ok(Self {
            database: url.redis_settings().db().to_string(),
            address: url.addr().to_string(),
            primary: Primary::new(url, settings)?,
            connection: ArcSwapOption::empty(),
            timeouts: AtomicU32::new(0),
            is_up: watch::Sender::new(false),
            errors: AtomicU64::new(0),
        })
    }

    /// Connects, and reconnects whenever the connection is lost.
    pub(crate) async fn run(self: Arc<Self>) {
        let mut is_up = self.is_up.subscribe();
        let mut delay = MIN_BACKOFF;
        loop {
            match self.connect().await {
                Ok(connection) => {
                    delay = MIN_BACKOFF;
                    self.timeouts.store(0, Ordering::Relaxed);
                    self.connection.store(Some(Arc::new(connection)));
                    self.is_up.send_replace(true);
                    // A call may have dropped it meanwhile.
                    if self.connection.load().is_none() {
                        self.is_up.send_replace(false);
                    }
                    tracing::info!("redis is available");
                    if is_up.wait_for(|is_up| !is_up).await.is_err() {
                        return;
                    }
                    tracing::warn!("redis is unavailable");
                    continue;
                }
                Err(error) if delay == MIN_BACKOFF => {
                    tracing::warn!(%error, address = self.address, "redis cannot be used");
                }
                Err(error) => tracing::debug!(%error, "redis is still unavailable"),
            }
            tokio::time::sleep(delay).await;
            delay = (delay * 2).min(MAX_BACKOFF);
        }
    }

    async fn connect(&self) -> Result<MultiplexedConnection, ConnectError> {
        let client = within(LOOKUP_TIMEOUT, self.primary.find()).await?;
        within(CONNECT_TIMEOUT, connect(&client)).await
    }

    /// Connects once, so that startup fails if this Redis can never be used. An unavailable Redis is not an error.
    ///
    /// # Errors
    /// The server is part of a Redis Cluster.
    pub(crate) async fn check_topology(&self) -> anyhow::Result<()> {
        match timeout(CONNECT_TIMEOUT, self.connect()).await {
            Ok(Err(error @ ConnectError::Cluster)) => Err(error).context("SAHM_REDIS_URL"),
            _ => Ok(()),
        }
    }

    /// A separate connection for messages.
    pub(crate) async fn messages(&self) -> Option<PubSub> {
        let client = within(LOOKUP_TIMEOUT, self.primary.find()).await.ok()?;
        timeout(CONNECT_TIMEOUT, client.get_async_pubsub()).await.ok()?.ok()
    }

    /// Whether Redis is available, as far as is known.
    pub(crate) fn is_up(&self) -> bool {
        *self.is_up.borrow()
    }

    /// The number of calls that failed or timed out.
    pub(crate) fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Changes as Redis becomes available and unavailable.
    pub(crate) fn watch(&self) -> watch::Receiver<bool> {
        self.is_up.subscribe()
    }

    /// Calls Redis for at most `limit`; `None` if it is unavailable, late or returns an error.
    pub(crate) async fn call<T, F: Future<Output = RedisResult<T>>>(
        &self,
        call: RedisCall,
        limit: Duration,
        send: impl FnOnce(MultiplexedConnection) -> F,
    ) -> Option<T> {
        let used = self.connection.load_full()?;
        let started = Instant::now();
        let result = timeout_in_steps(limit, send((*used).clone())).await;
        let failure = match &result {
            Some(Ok(_)) => {
                self.timeouts.store(0, Ordering::Relaxed);
                None
            }
            Some(Err(error)) if is_lost(error) => {
                tracing::debug!(%error, "redis connection lost");
                self.disconnect(&used);
                Some("lost")
            }
            Some(Err(error)) if !error.is_timeout() => Some("error"),
            Some(Err(_)) | None => {
                let is_counted = !matches!(call, RedisCall::BriefScript(..));
                if is_counted && self.timeouts.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_TIMEOUTS {
                    self.disconnect(&used);
                }
                Some("timeout")
            }
        };
        let (operation, stored_procedure) = match call {
            RedisCall::Command(name) => (name, None),
            RedisCall::Script(name) | RedisCall::BriefScript(name) => ("EVALSHA", Some(name)),
        };
        let call = DatabaseCall {
            system: "redis",
            namespace: &self.database,
            operation,
            collection: None,
            stored_procedure,
            error: failure,
            elapsed: started.elapsed(),
        };
        call.record();
        if failure.is_some() {
            let errors = self.errors.fetch_add(1, Ordering::Relaxed) + 1;
            // A full Redis refuses every write; not each refusal is logged.
            if let (Some(Err(error)), Some("error"), true) =
                (&result, failure, errors.is_power_of_two())
            {
                tracing::warn!(%error, errors, "redis refuses");
            }
        }
        result?.ok()
    }

    /// Drops a connection, unless a new one has replaced it.
    fn disconnect(&self, used: &Arc<MultiplexedConnection>) {
        let before = self.connection.compare_and_swap(used, None);
        if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, used)) {
            self.is_up.send_replace(false);
        }
    }
}

/// The name of a call in metrics and spans, which contains neither keys nor values.
pub(crate) enum RedisCall {
    /// A command; `PIPELINE` or `MULTI` for several in one round trip.
    Command(&'static str),
    /// A script, by its name in the sources.
    Script(&'static str),
    /// A script with a limit that is too short for a timeout to count for the circuit breaker.
    BriefScript(&'static str),
}

#[derive(Debug, thiserror::Error)]
enum ConnectError {
    /// The gateway's scripts use keys of several hash slots at once.
    #[error(
        "Redis Cluster is not supported, only one primary, with or without Sentinel (SAHM_REDIS_SENTINELS)"
    )]
    Cluster,
    #[error(transparent)]
    Redis(#[from] RedisError),
}

/// How the primary is found.
enum Primary {
    Address(Client),
    Sentinels(Mutex<SentinelClient>),
}

impl Primary {
    fn new(primary: ConnectionInfo, settings: &RedisSettings) -> RedisResult<Self> {
        if settings.sentinels.is_empty() {
            return Client::open(primary).map(Self::Address);
        }
        let (name, insecure) = match primary.addr() {
            ConnectionAddr::Tcp(host, _) => (host, None),
            ConnectionAddr::TcpTls { host, insecure, .. } => (host, Some(*insecure)),
            _ => return Err((ErrorKind::InvalidClientConfig, "a socket has no Sentinels").into()),
        };
        let mut node = SentinelNodeConnectionInfo::default()
            .set_redis_connection_info(primary.redis_settings().clone());
        if let Some(insecure) = insecure {
            node = node.set_tls_mode(if insecure { TlsMode::Insecure } else { TlsMode::Secure });
        }
        let mut login = RedisConnectionInfo::default();
        if let Some(password) = &settings.sentinel_password {
            login = login.set_password(password.expose());
        }
        let sentinels = settings.sentinels.iter().map(|sentinel| {
            let (host, port) = (sentinel.host.clone(), sentinel.port);
            let address = match insecure {
                Some(insecure) => ConnectionAddr::TcpTls { host, port, insecure, tls_params: None },
                None => ConnectionAddr::Tcp(host, port),
            };
            RedisResult::Ok(address.into_connection_info()?.set_redis_settings(login.clone()))
        });
        let sentinels = sentinels.collect::<RedisResult<Vec<_>>>()?;
        let client =
            SentinelClient::build(sentinels, name, Some(node), SentinelServerType::Master)?;
        Ok(Self::Sentinels(Mutex::new(client)))
    }

    /// The primary's client. A server that Sentinels name must confirm that it is the primary.
    async fn find(&self) -> RedisResult<Client> {
        match self {
            Self::Address(client) => Ok(client.clone()),
            Self::Sentinels(sentinels) => sentinels.lock().await.async_get_client().await,
        }
    }
}

/// Connects to a server that must be a primary.
async fn connect(client: &Client) -> Result<MultiplexedConnection, ConnectError> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECT_TIMEOUT))
        .set_response_timeout(Some(RESPONSE_TIMEOUT));
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    redis::cmd("PING").query_async::<()>(&mut connection).await?;
    // A server may forbid INFO; a cluster then refuses the scripts one by one.
    let info = redis::cmd("INFO").arg("cluster").query_async::<String>(&mut connection).await;
    if info.is_ok_and(|info| info.contains("cluster_enabled:1")) {
        return Err(ConnectError::Cluster);
    }
    let mut probe = redis::cmd("SET");
    probe.arg(WRITE_PROBE).arg(1).arg("PX").arg(1);
    match probe.query_async::<()>(&mut connection).await {
        Err(error) if is_lost(&error) => Err(error.into()),
        // A full server refuses writes too, and another connection would not help.
        _ => Ok(connection),
    }
}

/// The result of a call, or a timeout as an I/O error of Redis.
async fn within<T, E: From<RedisError>>(
    limit: Duration,
    call: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let timed_out = || RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut));
    timeout(limit, call).await.unwrap_or_else(|_| Err(timed_out().into()))
}

/// The result of a call within `limit`. A step in which this process is too busy to poll the call counts once, however
/// long it is, so that load on this process does not count as slowness of Redis.
async fn timeout_in_steps<T>(limit: Duration, call: impl Future<Output = T>) -> Option<T> {
    let mut call = std::pin::pin!(call);
    let mut left = limit;
    while !left.is_zero() {
        let step = left.min(TIMEOUT_STEP);
        if let Ok(value) = timeout(step, &mut call).await {
            return Some(value);
        }
        left -= step;
    }
    None
}

/// Whether an error means that the connection is broken, or that its server is not the primary.
fn is_lost(error: &RedisError) -> bool {
    error.is_unrecoverable_error()
        || error.is_connection_dropped()
        || error.code().is_some_and(|code| {
            NOT_PRIMARY.contains(&code)
                // Before version 7 a script's error hides the code that stopped it in its text.
                || (code == "ERR" && error.detail().is_some_and(|text| text.contains("-READONLY ")))
        })
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redis").field("is_up", &self.is_up()).finish_non_exhaustive()
    }
}
