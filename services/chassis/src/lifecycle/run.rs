//! Runs a process from its settings to its exit code: settings, telemetry, signals, drain, flush.
use std::{process::ExitCode, sync::Arc, time::Duration};

use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{Context, Lifecycle, bind, serve_admin};
use crate::{
    cli, dev_secrets, outbound,
    settings::{Plaintext, Process, Settings},
    telemetry::{self, VERSION},
};

/// Grace period for requests and streams after the drain has begun. Together with
/// [`DEREGISTRATION_DELAY`] a stop stays within the 10 s of docs/development.md.
const GRACE_PERIOD: Duration = Duration::from_secs(6);
/// How long a process still serves after SIGTERM, until load balancers have removed it.
pub(crate) const DEREGISTRATION_DELAY: Duration = Duration::from_secs(3);

/// Disables transparent huge pages for this process. The allocator returns parts of huge pages,
/// which the kernel fills again minutes later, so that memory grows by 2 MiB at a time beyond what
/// is in use.
///
/// # Errors
/// The kernel does not support this.
pub fn disable_huge_pages() -> std::io::Result<()> {
    Ok(rustix::thread::disable_transparent_huge_pages(true)?)
}

/// Raises the soft limit of file descriptors to the hard limit. Shells and systemd set it to 1,024,
/// which a few hundred clients would use up.
///
/// # Errors
/// The kernel refuses.
fn raise_descriptor_limit() -> std::io::Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    Ok(setrlimit(Resource::Nofile, limit)?)
}

/// Number of file descriptors that this process may open.
pub fn descriptor_limit() -> usize {
    let limit = getrlimit(Resource::Nofile).current;
    limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX)
}

/// Runs a process: reads settings, sets up telemetry, serves the admin address, calls `start`, and
/// waits for SIGTERM or SIGINT. Then the process becomes unready, drains, waits, flushes telemetry,
/// and stops hard after the grace period. `start` binds its listeners, spawns its parts on the
/// context's lifecycle, marks the process as ready and returns.
///
/// An invalid setting prints one line to standard error and exits with 2; a failed start exits
/// with 1.
pub fn run(process: Process, start: impl AsyncFnOnce(Context) -> anyhow::Result<()>) -> ExitCode {
    let settings = match Settings::load(process) {
        Ok(settings) => settings,
        Err(error) => return cli::usage_error(&error.to_string()),
    };
    let settings = match dev_secrets::with_caller_tokens(settings) {
        Ok(settings) => Arc::new(settings),
        Err(error) => return fail(process, &error),
    };
    outbound::install_tls_provider();
    let small_pages = disable_huge_pages();
    let descriptors = raise_descriptor_limit();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return cli::usage_error(&format!("cannot start the runtime: {error}")),
    };
    let guard = {
        // OTLP over gRPC creates its channel here and needs a runtime context.
        let _entered = runtime.enter();
        telemetry::init(process, &settings)
    };
    if let Err(error) = small_pages {
        tracing::warn!(error = ?error, "huge pages could not be turned off");
    }
    match descriptors {
        Ok(()) => tracing::debug!(descriptors = descriptor_limit(), "file descriptors"),
        Err(error) => tracing::warn!(%error, "the limit of file descriptors is not raised"),
    }
    let context = Context { settings, lifecycle: Lifecycle::of(process) };
    let outcome = runtime.block_on(live(context, start));
    // Tasks that ignore the hard stop end with the runtime; the flush needs the runtime alive.
    guard.flush();
    runtime.shutdown_timeout(Duration::from_millis(500));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(process, &error),
    }
}

fn fail(process: Process, error: &anyhow::Error) -> ExitCode {
    cli::print_error(&format!("{}: {error:#}", process.as_str()));
    ExitCode::FAILURE
}

async fn live(
    context: Context,
    start: impl AsyncFnOnce(Context) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let life = context.lifecycle.clone();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let admin = bind(context.settings.admin_listen).await?;
    tracing::info!(
        process = context.settings.process.as_str(),
        environment = context.settings.environment.as_str(),
        admin = %context.settings.admin_listen,
        version = VERSION,
        "starting"
    );
    warn_of_unprotected_databases(&context.settings);
    serve_admin(admin, &context);

    let in_dev = context.settings.environment.is_dev();
    tokio::select! {
        started = start(context) => started?,
        _ = stop_signal(&mut terminate, &mut interrupt) => return end(&life).await,
        () = life.failed() => return end(&life).await,
    }
    let interrupted = tokio::select! {
        interrupted = stop_signal(&mut terminate, &mut interrupt) => interrupted,
        () = life.failed() => true,
    };
    life.begin_shutdown();
    if !interrupted && !in_dev {
        tracing::info!("shutting down");
        tokio::select! {
            () = tokio::time::sleep(DEREGISTRATION_DELAY) => {}
            _ = stop_signal(&mut terminate, &mut interrupt) => {}
        }
    }
    tokio::select! {
        ended = end(&life) => ended,
        // A second signal stops the process immediately.
        _ = stop_signal(&mut terminate, &mut interrupt) => {
            life.hard_stop().cancel();
            Ok(())
        }
    }
}

fn warn_of_unprotected_databases(settings: &Settings) {
    if !settings.is_public() {
        return;
    }
    for Plaintext { setting, host } in settings.plaintext_databases() {
        tracing::warn!(setting, host, "the connection to this database is not encrypted");
    }
    if let Some(host) = settings.passwordless_redis() {
        tracing::warn!(setting = "SAHM_REDIS_URL", host, "Redis is used without a password");
    }
}

/// Returns true for SIGINT, which an interactive user sends.
async fn stop_signal(terminate: &mut Signal, interrupt: &mut Signal) -> bool {
    tokio::select! {
        _ = terminate.recv() => false,
        _ = interrupt.recv() => true,
    }
}

async fn end(life: &Lifecycle) -> anyhow::Result<()> {
    tracing::info!("draining");
    life.drain();
    if tokio::time::timeout(GRACE_PERIOD, life.wait()).await.is_err() {
        tracing::warn!("grace period elapsed");
    }
    life.hard_stop().cancel();
    tracing::info!("stopped");
    life.take_failure().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn descriptor_limit_is_the_soft_limit_of_the_process() {
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
        let soft = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
        let soft = soft.unwrap().split_whitespace().next().unwrap();
        let expected = if soft == "unlimited" { usize::MAX } else { soft.parse().unwrap() };
        assert_eq!(descriptor_limit(), expected);
    }
}
