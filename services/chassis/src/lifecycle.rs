//! A process from its first socket to its last flush: bind first, ready last, drain in order,
//! stop hard when the grace is over.
mod admin;
mod run;

use std::{
    fmt,
    future::Future,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Context as _;
use tokio::net::{TcpListener, TcpSocket};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    error::Result,
    settings::{Process, Settings},
};

pub use admin::{AuditDetails, admin_response, serve_admin};
pub use run::{descriptor_limit, forgo_huge_pages, run};

type Asked<T> = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = T> + Send>> + Send + Sync>;
type Check = Asked<Result<()>>;

/// What every part of a process is given.
#[derive(Clone, Debug)]
pub struct Context {
    /// The settings.
    pub settings: Arc<Settings>,
    /// The process's life.
    pub lifecycle: Lifecycle,
}

impl Context {
    /// A context with a life of its own, for tests and for parts started in process.
    pub fn new(settings: Settings) -> Context {
        let lifecycle = Lifecycle::of(settings.process);
        Context { settings: Arc::new(settings), lifecycle }
    }
}

/// The life of a process, shared by all its parts.
#[derive(Clone)]
pub struct Lifecycle {
    inner: Arc<Inner>,
}

struct Inner {
    ready: AtomicBool,
    leaving: AtomicBool,
    draining: CancellationToken,
    stopped: CancellationToken,
    tasks: TaskTracker,
    /// Tasks that others need until their end.
    last_tasks: TaskTracker,
    /// Every other task has ended.
    drained: CancellationToken,
    checks: Mutex<Vec<(String, Check)>>,
    failure: Mutex<Option<anyhow::Error>>,
    failed: CancellationToken,
    /// Whether the checks count.
    asks_checks: bool,
    /// What the admin address serves beside its own.
    operator_routes: OnceLock<axum::Router>,
    /// Metrics of a process that this one runs.
    child_metrics: OnceLock<Asked<String>>,
}

impl Default for Lifecycle {
    fn default() -> Lifecycle {
        Lifecycle::new()
    }
}

impl fmt::Debug for Lifecycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lifecycle")
            .field("ready", &self.is_ready())
            .field("draining", &self.is_draining())
            .finish_non_exhaustive()
    }
}

impl Lifecycle {
    /// A service's life: begun and not ready.
    pub fn new() -> Lifecycle {
        Lifecycle::with_checks(true)
    }

    /// The life of this process. A service is ready when its store answers; the gateway, also as
    /// part of the all-in-one, whatever its services do (docs/configuration.md).
    pub fn of(process: Process) -> Lifecycle {
        Lifecycle::with_checks(matches!(process, Process::Service(_)))
    }

    fn with_checks(asks_checks: bool) -> Lifecycle {
        Lifecycle {
            inner: Arc::new(Inner {
                ready: AtomicBool::new(false),
                leaving: AtomicBool::new(false),
                draining: CancellationToken::new(),
                stopped: CancellationToken::new(),
                tasks: TaskTracker::new(),
                last_tasks: TaskTracker::new(),
                drained: CancellationToken::new(),
                checks: Mutex::new(Vec::new()),
                failure: Mutex::new(None),
                failed: CancellationToken::new(),
                asks_checks,
                operator_routes: OnceLock::new(),
                child_metrics: OnceLock::new(),
            }),
        }
    }

    /// Adds routes to the admin address; the first ones stay.
    pub fn set_operator_routes(&self, routes: axum::Router) {
        if self.inner.operator_routes.set(routes).is_err() {
            tracing::debug!("operator routes are set already");
        }
    }

    fn operator_routes(&self) -> Option<axum::Router> {
        self.inner.operator_routes.get().cloned()
    }

    /// Adds the metrics of a process that this one runs, as Prometheus text, to those of the admin
    /// address; the first ones stay.
    pub fn set_child_metrics<F, Fut>(&self, read: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = String> + Send + 'static,
    {
        let read: Asked<String> = Arc::new(move || Box::pin(read()));
        if self.inner.child_metrics.set(read).is_err() {
            tracing::debug!("metrics of a child are set already");
        }
    }

    async fn child_metrics(&self) -> String {
        match self.inner.child_metrics.get() {
            Some(read) => read().await,
            None => String::new(),
        }
    }

    /// Says that everything is started.
    pub fn set_ready(&self) {
        self.inner.ready.store(true, Ordering::SeqCst);
        tracing::info!("ready");
    }

    /// Started and neither leaving nor draining.
    pub fn is_ready(&self) -> bool {
        self.inner.ready.load(Ordering::SeqCst) && !self.is_leaving() && !self.is_draining()
    }

    /// Whether balancers are to look elsewhere, while everything is still served.
    pub fn is_leaving(&self) -> bool {
        self.inner.leaving.load(Ordering::SeqCst)
    }

    /// Stops being ready while still serving, so that balancers look elsewhere first.
    pub fn leave(&self) {
        self.inner.leaving.store(true, Ordering::SeqCst);
    }

    /// Begins the drain: no new connections, requests and streams end.
    pub fn drain(&self) {
        self.leave();
        self.inner.draining.cancel();
    }

    /// Whether the drain has begun.
    pub fn is_draining(&self) -> bool {
        self.inner.draining.is_cancelled()
    }

    /// Ends when the drain begins.
    pub fn draining(&self) -> impl Future<Output = ()> + Send + 'static {
        self.inner.draining.clone().cancelled_owned()
    }

    /// Cancelled when the grace is over and everything must stop where it stands.
    pub fn hard_stop(&self) -> CancellationToken {
        self.inner.stopped.clone()
    }

    /// Runs a task that the drain waits for; the hard stop drops it.
    pub fn spawn<F>(&self, name: &'static str, future: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.inner.tasks.spawn(self.until_hard_stop(name, future))
    }

    /// Runs a task that the drain waits for after all others: what they need until their end. It ends
    /// once [`Lifecycle::drained`] does; the hard stop drops it.
    pub fn spawn_last<F>(&self, name: &'static str, future: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.inner.last_tasks.spawn(self.until_hard_stop(name, future))
    }

    /// Ends when every task but the last ones has ended.
    pub fn drained(&self) -> impl Future<Output = ()> + Send + 'static {
        self.inner.drained.clone().cancelled_owned()
    }

    fn until_hard_stop<F>(
        &self,
        name: &'static str,
        future: F,
    ) -> impl Future<Output = ()> + Send + use<F>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let stopped = self.hard_stop();
        // Boxed, the future is held once; each layer around it would hold a copy of its size.
        let future = Box::pin(future);
        async move {
            if stopped.run_until_cancelled_owned(future).await.is_none() {
                tracing::warn!(task = name, "task stopped hard");
            }
        }
    }

    /// Runs a task that goes on until the drain begins, and is then dropped.
    pub fn spawn_until_drain<F>(&self, name: &'static str, future: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let draining = self.inner.draining.clone();
        self.spawn(name, async move {
            draining.run_until_cancelled_owned(future).await;
        })
    }

    /// Waits until every task has ended; call it after [`Lifecycle::drain`].
    pub async fn wait(&self) {
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
        self.inner.drained.cancel();
        self.inner.last_tasks.close();
        self.inner.last_tasks.wait().await;
    }

    /// Ends the process with an error: a part without which it makes no sense has failed.
    pub fn fail(&self, error: anyhow::Error) {
        tracing::error!(error = format!("{error:#}"), "process fails");
        let mut failure = self.inner.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(error);
        self.inner.failed.cancel();
    }

    /// Ends when [`Lifecycle::fail`] was called.
    pub fn failed(&self) -> impl Future<Output = ()> + Send + 'static {
        self.inner.failed.clone().cancelled_owned()
    }

    /// The error that [`Lifecycle::fail`] was called with.
    pub fn take_failure(&self) -> Option<anyhow::Error> {
        self.inner.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Adds something that must answer for a service's process to be ready.
    pub fn add_readiness<F, Fut>(&self, name: impl Into<String>, check: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        let check: Check = Arc::new(move || Box::pin(check()));
        let mut checks = self.inner.checks.lock().unwrap_or_else(PoisonError::into_inner);
        checks.push((name.into(), check));
    }

    /// Whether the process is ready, asking every check; else the name of what is missing.
    pub async fn readiness(&self) -> std::result::Result<(), String> {
        if self.is_draining() || self.is_leaving() {
            return Err("draining".to_owned());
        }
        if !self.inner.ready.load(Ordering::SeqCst) {
            return Err("starting".to_owned());
        }
        if !self.inner.asks_checks {
            return Ok(());
        }
        let checks = self.inner.checks.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (name, check) in checks {
            if let Err(error) = check().await {
                tracing::warn!(check = name, error = ?error, "not ready");
                return Err(name);
            }
        }
        Ok(())
    }
}

/// Binds a listener; the address may be taken again at once after a restart.
///
/// Errors: the address is in use or not this machine's; the message names it.
pub async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let bound = || -> std::io::Result<TcpListener> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        // The accepted sockets inherit it: without it a small answer waits 40 ms for an ACK.
        socket.set_nodelay(true)?;
        socket.bind(address)?;
        socket.listen(4096)
    };
    bound().with_context(|| format!("cannot listen on {address}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::error::{Error, ErrorCode};

    #[tokio::test]
    async fn ready_last_and_not_ready_first() {
        let life = Lifecycle::new();
        assert_eq!(life.readiness().await, Err("starting".into()));
        life.set_ready();
        assert!(life.is_ready());
        let up = Arc::new(AtomicBool::new(false));
        let store = up.clone();
        life.add_readiness("store", move || {
            let up = store.load(Ordering::SeqCst);
            async move { if up { Ok(()) } else { Err(Error::of(ErrorCode::Unavailable)) } }
        });
        assert_eq!(life.readiness().await, Err("store".into()));
        up.store(true, Ordering::SeqCst);
        assert_eq!(life.readiness().await, Ok(()));
        let gateway = Lifecycle::of(Process::Gateway);
        gateway.add_readiness("store", async || Err(Error::of(ErrorCode::Unavailable)));
        gateway.set_ready();
        assert_eq!(gateway.readiness().await, Ok(()));
        life.leave();
        assert!(life.is_leaving() && !life.is_ready() && !life.is_draining());
        life.drain();
        life.draining().await;
        assert_eq!(life.readiness().await, Err("draining".into()));
    }

    #[tokio::test]
    async fn the_drain_waits_for_tasks_and_the_hard_stop_does_not() {
        let life = Lifecycle::new();
        let (finish, finished) = tokio::sync::oneshot::channel::<()>();
        life.spawn("polite", async move {
            let _ = finished.await;
        });
        life.spawn_until_drain("loop", std::future::pending());
        life.drain();
        let waiting = tokio::spawn({
            let life = life.clone();
            async move { life.wait().await }
        });
        assert!(!waiting.is_finished());
        finish.send(()).unwrap();
        waiting.await.unwrap();

        let life = Lifecycle::new();
        let (finish, finished) = tokio::sync::oneshot::channel::<()>();
        life.spawn("client", async move {
            let _ = finished.await;
        });
        let last = life.spawn_last("server", life.drained());
        life.drain();
        tokio::task::yield_now().await;
        assert!(!last.is_finished());
        finish.send(()).unwrap();
        life.wait().await;
        last.await.unwrap();

        let life = Lifecycle::new();
        life.spawn("stubborn", std::future::pending());
        life.drain();
        life.hard_stop().cancel();
        life.wait().await;
    }

    #[tokio::test]
    async fn a_taken_address_is_named() {
        let first = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = first.local_addr().unwrap();
        let error = bind(address).await.unwrap_err();
        assert!(error.to_string().contains(&address.to_string()), "{error}");
    }
}
