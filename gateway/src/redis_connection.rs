//! The connection to Redis: one, shared, given up at once while Redis does not answer. A thread of
//! its own reads and writes it, so that an answer does not queue behind a thousand visitors.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use arc_swap::ArcSwapOption;
use opentelemetry::{KeyValue, metrics::Histogram};
use redis::{
    AsyncConnectionConfig, Client, RedisError, RedisResult,
    aio::{MultiplexedConnection, PubSub},
};
use sahm_chassis::telemetry;
use tokio::{
    runtime::{self, Handle},
    sync::{Notify, oneshot, watch},
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

/// What a call may cost where no visitor waits.
pub(crate) const BEHIND: Duration = Duration::from_millis(500);
/// Calls in a row that came too late before Redis counts as away.
const WRITE_TIMEOUT: u32 = 3;
const CONNECT: Duration = Duration::from_millis(500);
/// How finely waiting is counted.
const STEP: Duration = Duration::from_millis(5);
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(1);

/// Error codes of a server that is not, or no longer, the primary that answers: after a failover,
/// while it loads its data, without a quorum.
const NOT_PRIMARY: [&str; 5] = ["READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "UNBLOCKED"];
/// Written on each new connection: a replica answers reads and pings.
const WRITE_PROBE: &str = "sahm:write-probe";

/// Redis, which may be away at any time.
pub(crate) struct Redis {
    client: Client,
    thread: Thread,
    connection: ArcSwapOption<MultiplexedConnection>,
    late: AtomicU32,
    lost: Notify,
    up: watch::Sender<bool>,
    errors: AtomicU64,
    time: Histogram<f64>,
}

impl Redis {
    /// Errors: the address is none; the system has no thread left.
    pub(crate) fn new(url: &str) -> RedisResult<Self> {
        Ok(Self {
            client: Client::open(url)?,
            thread: Thread::start()?,
            connection: ArcSwapOption::empty(),
            late: AtomicU32::new(0),
            lost: Notify::new(),
            up: watch::Sender::new(false),
            errors: AtomicU64::new(0),
            time: telemetry::seconds(
                "db.client.operation.duration",
                "Calls of Redis, by how they failed",
            ),
        })
    }

    /// Keeps the connection: makes it, and makes it again when it is lost.
    pub(crate) async fn keep(self: Arc<Self>) {
        let mut retry = FIRST_RETRY;
        loop {
            match self.connect().await {
                Some(connection) => {
                    retry = FIRST_RETRY;
                    self.late.store(0, Ordering::Relaxed);
                    self.connection.store(Some(Arc::new(connection)));
                    self.up.send_replace(true);
                    tracing::info!("redis answers");
                    self.lost.notified().await;
                    tracing::warn!("redis is away");
                }
                None => {
                    tokio::time::sleep(retry).await;
                    retry = (retry * 2).min(LAST_RETRY);
                }
            }
        }
    }

    async fn connect(&self) -> Option<MultiplexedConnection> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(Some(CONNECT));
        let client = self.client.clone();
        let connect = async move {
            let mut connection =
                client.get_multiplexed_async_connection_with_config(&config).await?;
            redis::cmd("PING").query_async::<()>(&mut connection).await?;
            let mut probe = redis::cmd("SET");
            probe.arg(WRITE_PROBE).arg(1).arg("PX").arg(1);
            match probe.query_async::<()>(&mut connection).await {
                Err(error) if is_lost(&error) => Err(error),
                // A full server refuses writes too, and a connection to another would not help.
                _ => RedisResult::Ok(connection),
            }
        };
        // What it starts to read and write the connection runs where it runs.
        let connect = AbortOnDropHandle::new(self.thread.runtime.spawn(connect));
        match timeout(CONNECT, connect).await {
            Ok(Ok(Ok(connection))) => Some(connection),
            Ok(Ok(Err(error))) => {
                tracing::debug!(%error, "redis does not answer");
                None
            }
            Ok(Err(_)) | Err(_) => None,
        }
    }

    /// A connection of its own for messages.
    pub(crate) async fn messages(&self) -> Option<PubSub> {
        timeout(CONNECT, self.client.get_async_pubsub()).await.ok()?.ok()
    }

    /// Whether Redis answers, as far as is known.
    pub(crate) fn is_up(&self) -> bool {
        self.connection.load().is_some()
    }

    /// Calls that failed or came late.
    pub(crate) fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Changes as Redis comes and goes.
    pub(crate) fn watch(&self) -> watch::Receiver<bool> {
        self.up.subscribe()
    }

    /// Calls Redis, for at most `limit`; none when it is away, late or refuses. That it is late
    /// says nothing of it, where the limit is short.
    pub(crate) async fn glance<T>(
        &self,
        limit: Duration,
        call: impl AsyncFnOnce(&mut MultiplexedConnection) -> RedisResult<T>,
    ) -> Option<T> {
        let used = self.connection.load_full()?;
        let mut connection = (*used).clone();
        let answer = self.timed(limit, call(&mut connection)).await?;
        if answer.as_ref().is_err_and(is_lost) {
            self.count_error();
            self.lose(&used);
        }
        answer.ok()
    }

    /// Calls Redis, for at most `limit`; none when it is away, late or refuses.
    pub(crate) async fn call<T>(
        &self,
        limit: Duration,
        call: impl AsyncFnOnce(&mut MultiplexedConnection) -> RedisResult<T>,
    ) -> Option<T> {
        let used = self.connection.load_full()?;
        let mut connection = (*used).clone();
        match self.timed(limit, call(&mut connection)).await {
            Some(Ok(value)) => {
                self.late.store(0, Ordering::Relaxed);
                Some(value)
            }
            Some(Err(error)) => {
                let errors = self.count_error();
                if is_lost(&error) {
                    tracing::debug!(%error, "redis connection lost");
                    self.lose(&used);
                } else if error.is_timeout() {
                    self.count_late(&used);
                } else if errors.is_power_of_two() {
                    // A full Redis refuses every store: not a line for each.
                    tracing::warn!(%error, errors, "redis refuses");
                }
                None
            }
            None => {
                self.count_error();
                self.count_late(&used);
                None
            }
        }
    }

    async fn timed<T>(
        &self,
        limit: Duration,
        call: impl Future<Output = RedisResult<T>>,
    ) -> Option<RedisResult<T>> {
        let began = Instant::now();
        let answer = patiently(limit, call).await;
        let failure = match &answer {
            Some(Ok(_)) => None,
            Some(Err(error)) if is_lost(error) => Some("lost"),
            Some(Err(_)) => Some("error"),
            None => Some("late"),
        };
        let system = KeyValue::new("db.system.name", "redis");
        let failure = failure.map(|failure| KeyValue::new("error.type", failure));
        let labels: &[KeyValue] = match failure {
            Some(failure) => &[system, failure],
            None => &[system],
        };
        self.time.record(began.elapsed().as_secs_f64(), labels);
        answer
    }

    /// Gives the new number.
    fn count_error(&self) -> u64 {
        self.errors.fetch_add(1, Ordering::Relaxed).wrapping_add(1)
    }

    fn count_late(&self, used: &Arc<MultiplexedConnection>) {
        if self.late.fetch_add(1, Ordering::Relaxed) + 1 >= WRITE_TIMEOUT {
            self.lose(used);
        }
    }

    fn lose(&self, used: &Arc<MultiplexedConnection>) {
        let before = self.connection.compare_and_swap(used, None);
        if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, used)) {
            self.up.send_replace(false);
            self.lost.notify_one();
        }
    }
}

/// Whether an error says that the connection leads nowhere, or to a server that is not the primary.
fn is_lost(error: &RedisError) -> bool {
    error.is_unrecoverable_error()
        || error.is_connection_dropped()
        || error.code().is_some_and(|code| {
            NOT_PRIMARY.contains(&code)
                // Before version 7 a script's error hides the code that stopped it in its text.
                || (code == "ERR" && error.detail().is_some_and(|text| text.contains("-READONLY ")))
        })
}

/// Runs what reads and writes the connection, and nothing else; ends when dropped.
struct Thread {
    runtime: Handle,
    _alive: oneshot::Sender<()>,
}

impl Thread {
    fn start() -> io::Result<Thread> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (alive, dropped) = oneshot::channel::<()>();
        std::thread::Builder::new().name("redis".to_owned()).spawn(move || {
            // Nothing is ever sent.
            let _ = runtime.block_on(dropped);
        })?;
        Ok(Thread { runtime: handle, _alive: alive })
    }
}

/// What a call gives within `limit`. Time in which this process was too busy to look counts once
/// a step only: a thousand visitors at once are no sign that Redis is away.
async fn patiently<T>(limit: Duration, call: impl Future<Output = T>) -> Option<T> {
    let mut call = std::pin::pin!(call);
    let mut left = limit;
    while !left.is_zero() {
        let step = left.min(STEP);
        if let Ok(value) = timeout(step, &mut call).await {
            return Some(value);
        }
        left -= step;
    }
    None
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redis").field("up", &self.is_up()).finish_non_exhaustive()
    }
}
