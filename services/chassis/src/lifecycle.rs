//! The lifecycle of a process: bind first, become ready last, drain in order, and stop hard when
//! the grace period is over.
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
pub(crate) use run::DEREGISTRATION_DELAY;
pub use run::{descriptor_limit, disable_huge_pages, run};

type AsyncReader<T> = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = T> + Send>> + Send + Sync>;
type Check = AsyncReader<Result<()>>;

/// Settings and lifecycle of a process, passed to all its parts.
#[derive(Clone, Debug)]
pub struct Context {
    /// Settings of the process.
    pub settings: Arc<Settings>,
    /// Lifecycle of the process.
    pub lifecycle: Lifecycle,
}

impl Context {
    /// A context with its own lifecycle, for tests and for parts started in process.
    pub fn new(settings: Settings) -> Context {
        let lifecycle = Lifecycle::of(settings.process);
        Context { settings: Arc::new(settings), lifecycle }
    }
}

/// The lifecycle of a process, shared by all its parts. The default is that of a service, not yet
/// ready.
#[derive(Clone, Default)]
pub struct Lifecycle {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    ready: AtomicBool,
    shutting_down: AtomicBool,
    draining: CancellationToken,
    stopped: CancellationToken,
    tasks: TaskTracker,
    /// Tasks that other tasks depend on until those end.
    last_tasks: TaskTracker,
    /// Cancelled once all tasks except the last ones have ended.
    drained: CancellationToken,
    checks: Mutex<Vec<(String, Check)>>,
    failure: Mutex<Option<anyhow::Error>>,
    failed: CancellationToken,
    /// Whether the process is ready regardless of the checks.
    ignores_checks: bool,
    /// Routes of the admin address in addition to the built-in ones.
    operator_routes: OnceLock<axum::Router>,
    /// Reads the metrics of a child process.
    child_metrics: OnceLock<AsyncReader<String>>,
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
    /// The lifecycle of a service; not yet ready.
    pub fn new() -> Lifecycle {
        Lifecycle::default()
    }

    /// The lifecycle of this process. A service is ready only if its store responds; the gateway,
    /// alone or in the all-in-one, is ready regardless of its services (docs/configuration.md).
    pub fn of(process: Process) -> Lifecycle {
        let ignores_checks = !matches!(process, Process::Service(_));
        Lifecycle { inner: Arc::new(Inner { ignores_checks, ..Inner::default() }) }
    }

    /// Adds routes to the admin address. Only the first call has an effect.
    pub fn set_operator_routes(&self, routes: axum::Router) {
        if self.inner.operator_routes.set(routes).is_err() {
            tracing::debug!("operator routes are set already");
        }
    }

    fn operator_routes(&self) -> Option<axum::Router> {
        self.inner.operator_routes.get().cloned()
    }

    /// Adds a child process's metrics, as Prometheus text, to those of the admin address. Only the
    /// first call has an effect.
    pub fn set_child_metrics<F, Fut>(&self, read: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = String> + Send + 'static,
    {
        let read: AsyncReader<String> = Arc::new(move || Box::pin(read()));
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

    /// Marks the process as started.
    pub fn set_ready(&self) {
        self.inner.ready.store(true, Ordering::SeqCst);
        tracing::info!("ready");
    }

    /// Whether the process has started and is neither shutting down nor draining.
    pub fn is_ready(&self) -> bool {
        self.inner.ready.load(Ordering::SeqCst) && !self.is_shutting_down() && !self.is_draining()
    }

    /// Whether load balancers should use other processes while this one still serves.
    pub fn is_shutting_down(&self) -> bool {
        self.inner.shutting_down.load(Ordering::SeqCst)
    }

    /// Makes the process unready while it still serves, so that load balancers use other processes.
    pub fn begin_shutdown(&self) {
        self.inner.shutting_down.store(true, Ordering::SeqCst);
    }

    /// Begins the drain: no new connections are accepted, and requests and streams end.
    pub fn drain(&self) {
        self.begin_shutdown();
        self.inner.draining.cancel();
    }

    /// Whether the drain has begun.
    pub fn is_draining(&self) -> bool {
        self.inner.draining.is_cancelled()
    }

    /// Completes when the drain begins.
    pub fn draining(&self) -> impl Future<Output = ()> + Send + 'static {
        self.inner.draining.clone().cancelled_owned()
    }

    /// Cancelled when the grace period is over and everything must stop immediately.
    pub fn hard_stop(&self) -> CancellationToken {
        self.inner.stopped.clone()
    }

    /// Spawns a task that the drain waits for; the hard stop drops it.
    pub fn spawn<F>(&self, name: &'static str, future: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.inner.tasks.spawn(self.until_hard_stop(name, future))
    }

    /// Spawns a task that other tasks depend on until those end: the drain waits for it last. It
    /// should return once [`Lifecycle::drained`] completes; the hard stop drops it.
    pub fn spawn_last<F>(&self, name: &'static str, future: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.inner.last_tasks.spawn(self.until_hard_stop(name, future))
    }

    /// Completes when every task except the last ones has ended.
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
        // Boxed, so that the layers around the future do not each hold a copy of its size.
        let future = Box::pin(future);
        async move {
            if stopped.run_until_cancelled_owned(future).await.is_none() {
                tracing::warn!(task = name, "task stopped hard");
            }
        }
    }

    /// Spawns a task that is dropped when the drain begins.
    pub fn spawn_until_drain<F>(&self, name: &'static str, future: F) -> tokio::task::JoinHandle<()>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let draining = self.draining();
        self.spawn(name, async move {
            tokio::select! {
                // Polled first, so that the task does not report operations that the drain ends as
                // failures.
                biased;
                () = draining => {}
                () = future => {}
            }
        })
    }

    /// Waits until every task has ended; called after [`Lifecycle::drain`].
    pub async fn wait(&self) {
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
        self.inner.drained.cancel();
        self.inner.last_tasks.close();
        self.inner.last_tasks.wait().await;
    }

    /// Ends the process with an error, because an essential part has failed.
    pub fn fail(&self, error: anyhow::Error) {
        tracing::error!(error = format!("{error:#}"), "process fails");
        let mut failure = self.inner.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(error);
        self.inner.failed.cancel();
    }

    /// Completes when [`Lifecycle::fail`] is called.
    pub fn failed(&self) -> impl Future<Output = ()> + Send + 'static {
        self.inner.failed.clone().cancelled_owned()
    }

    /// Takes the error that [`Lifecycle::fail`] was called with.
    pub fn take_failure(&self) -> Option<anyhow::Error> {
        self.inner.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Adds a check that must pass for a service's process to be ready.
    pub fn add_readiness<F, Fut>(&self, name: impl Into<String>, check: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        let check: Check = Arc::new(move || Box::pin(check()));
        let mut checks = self.inner.checks.lock().unwrap_or_else(PoisonError::into_inner);
        checks.push((name.into(), check));
    }

    /// The name of the first check that fails; `None` if the process is ready.
    pub async fn failed_readiness_check(&self) -> Option<String> {
        if self.is_draining() || self.is_shutting_down() {
            return Some("draining".to_owned());
        }
        if !self.inner.ready.load(Ordering::SeqCst) {
            return Some("starting".to_owned());
        }
        if self.inner.ignores_checks {
            return None;
        }
        let checks = self.inner.checks.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (name, check) in checks {
            if let Err(error) = check().await {
                tracing::warn!(check = name, error = ?error, "not ready");
                return Some(name);
            }
        }
        None
    }
}

/// Binds a listener with `SO_REUSEADDR`, so that a restarted process can bind the address again
/// immediately.
///
/// # Errors
/// The address is in use or does not belong to this machine; the message contains it.
pub async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let bound = || -> std::io::Result<TcpListener> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        // Accepted sockets inherit this option. Without it a small response waits 40 ms for a
        // delayed ACK.
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
    async fn process_is_ready_after_start_and_unready_before_the_drain() {
        let life = Lifecycle::new();
        assert_eq!(life.failed_readiness_check().await.as_deref(), Some("starting"));
        life.set_ready();
        assert!(life.is_ready());
        let up = Arc::new(AtomicBool::new(false));
        let store = up.clone();
        life.add_readiness("store", move || {
            let up = store.load(Ordering::SeqCst);
            async move { if up { Ok(()) } else { Err(Error::of(ErrorCode::Unavailable)) } }
        });
        assert_eq!(life.failed_readiness_check().await.as_deref(), Some("store"));
        up.store(true, Ordering::SeqCst);
        assert_eq!(life.failed_readiness_check().await, None);
        let gateway = Lifecycle::of(Process::Gateway);
        gateway.add_readiness("store", async || Err(Error::of(ErrorCode::Unavailable)));
        gateway.set_ready();
        assert_eq!(gateway.failed_readiness_check().await, None);
        life.begin_shutdown();
        assert!(life.is_shutting_down() && !life.is_ready() && !life.is_draining());
        assert_eq!(life.failed_readiness_check().await.as_deref(), Some("draining"));
        life.drain();
        life.draining().await;
        assert!(life.is_draining());
        assert_eq!(life.failed_readiness_check().await.as_deref(), Some("draining"));
    }

    #[tokio::test]
    async fn drain_waits_for_tasks_until_the_hard_stop() {
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
    async fn task_until_drain_is_not_polled_once_the_drain_has_begun() {
        let life = Lifecycle::new();
        let has_seen_drain = Arc::new(AtomicBool::new(false));
        let (draining, has_drained) = (life.draining(), has_seen_drain.clone());
        life.spawn_until_drain("loop", async move {
            draining.await;
            has_drained.store(true, Ordering::SeqCst);
        });
        tokio::task::yield_now().await;
        life.drain();
        life.wait().await;
        assert!(!has_seen_drain.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn bind_to_used_address_names_it() {
        let first = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = first.local_addr().unwrap();
        let error = bind(address).await.unwrap_err();
        assert!(error.to_string().contains(&address.to_string()), "{error}");
    }
}
