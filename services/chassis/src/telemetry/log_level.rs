//! The log level. Its initial directives come from `RUST_LOG`; operators change them while the
//! process runs (docs/operations/access.md#log-level).
use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use anyhow::{anyhow, ensure};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::{
    EnvFilter, Registry,
    filter::{Directive, FilterExt, Targets},
    layer::Filter,
    reload,
};

use crate::clock;

/// The target of audit lines, which are written at every log level.
pub const AUDIT_TARGET: &str = "sahm::audit";
/// `sahm=info` matches every crate of the workspace: targets are compared by prefix.
const DEFAULT_DIRECTIVES: &str = "warn,sahm=info";

static INSTALLED: OnceLock<Arc<LogLevel>> = OnceLock::new();

/// The log level of this process; `None` before telemetry is started.
pub(crate) fn installed_log_level() -> Option<Arc<LogLevel>> {
    INSTALLED.get().cloned()
}

/// The filter of log lines, replaceable while the process runs.
pub(crate) struct LogLevel {
    handle: reload::Handle<EnvFilter, Registry>,
    start: String,
    change: Mutex<Change>,
}

/// The latest change of the level.
#[derive(Default)]
struct Change {
    number: u64,
    /// In epoch milliseconds.
    ends_at: Option<u64>,
}

impl LogLevel {
    /// The log level from `RUST_LOG`, and the filter that it controls.
    pub(super) fn from_env() -> (Arc<LogLevel>, impl Filter<Registry> + use<>) {
        let variable = std::env::var(EnvFilter::DEFAULT_ENV).ok();
        let directives = variable.filter(|directives| EnvFilter::try_new(directives).is_ok());
        LogLevel::new(directives.unwrap_or_else(|| DEFAULT_DIRECTIVES.to_owned()))
    }

    fn new(start: String) -> (Arc<LogLevel>, impl Filter<Registry> + use<>) {
        let (filter, handle) = reload::Layer::new(EnvFilter::new(&start));
        let audit = Targets::new().with_target(AUDIT_TARGET, LevelFilter::INFO);
        (Arc::new(LogLevel { handle, start, change: Mutex::default() }), filter.or(audit))
    }

    /// Makes this the log level of the process; a second call in one process has no effect.
    pub(super) fn install(self: Arc<LogLevel>) {
        let _ = INSTALLED.set(self);
    }

    /// Applies the directives, for `lifetime` if it is given. Call it inside a runtime.
    ///
    /// # Errors
    /// A directive is invalid; the error quotes it.
    pub(crate) fn set(
        self: &Arc<LogLevel>,
        directives: &str,
        lifetime: Option<Duration>,
    ) -> anyhow::Result<()> {
        let filter = parse(directives)?;
        let mut change = self.change();
        self.handle.reload(filter)?;
        change.number += 1;
        change.ends_at = lifetime.map(|lifetime| {
            let millis = u64::try_from(lifetime.as_millis()).unwrap_or(u64::MAX);
            clock::now_millis().saturating_add(millis)
        });
        if let Some(lifetime) = lifetime {
            let (level, number) = (self.clone(), change.number);
            tokio::spawn(async move {
                tokio::time::sleep(lifetime).await;
                level.end(number);
            });
        }
        Ok(())
    }

    /// Resets to the initial directives, unless there was a later change.
    fn end(&self, number: u64) {
        let mut change = self.change();
        if change.number != number {
            return;
        }
        change.ends_at = None;
        match self.handle.reload(EnvFilter::new(&self.start)) {
            Ok(()) => {
                tracing::info!(target: AUDIT_TARGET, details = self.start, "log level reset");
            }
            Err(error) => tracing::error!(error = %error, "the log level is not reset"),
        }
    }

    /// The current directives.
    pub(crate) fn directives(&self) -> String {
        self.handle.with_current(EnvFilter::to_string).unwrap_or_default()
    }

    /// The initial directives.
    pub(crate) fn start(&self) -> &str {
        &self.start
    }

    /// When the level is reset to the initial directives, in epoch milliseconds.
    pub(crate) fn ends_at(&self) -> Option<u64> {
        self.change().ends_at
    }

    fn change(&self) -> MutexGuard<'_, Change> {
        self.change.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(directives: &str) -> anyhow::Result<EnvFilter> {
    let directives = directives.split(',').map(str::trim).filter(|each| !each.is_empty());
    let directives: Vec<_> = directives.collect();
    ensure!(!directives.is_empty(), "directives are missing, for instance warn,sahm=debug");
    for directive in &directives {
        directive.parse::<Directive>().map_err(|error| anyhow!("`{directive}`: {error}"))?;
        // A misspelt level would be a valid target and silence everything else.
        let is_word = !directive.contains(['=', '[']);
        let is_misspelt = is_word && directive.parse::<LevelFilter>().is_err();
        ensure!(!is_misspelt, "`{directive}` is neither a level nor target=level");
    }
    Ok(EnvFilter::try_new(directives.join(","))?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;

    use tempfile::NamedTempFile;
    use tracing_subscriber::{Layer, layer::SubscriberExt};

    use super::*;

    /// Returns and removes the lines of a log.
    fn take(log: &NamedTempFile) -> String {
        let lines = fs::read_to_string(log.path()).unwrap();
        log.as_file().set_len(0).unwrap();
        lines
    }

    /// Logs one line of each kind and returns those that are written.
    fn written(log: &NamedTempFile) -> Vec<&'static str> {
        tracing::debug!(target: "sahm::test", "ours-debug");
        tracing::info!(target: "sahm::test", "ours-info");
        tracing::info!(target: "other", "other-info");
        tracing::info!(target: AUDIT_TARGET, "audit-info");
        let text = take(log);
        let all = ["ours-debug", "ours-info", "other-info", "audit-info"];
        all.into_iter().filter(|line| text.contains(line)).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn level_changes_for_its_lifetime_and_audit_lines_always_stay() {
        let log = NamedTempFile::new().unwrap();
        let file = fs::File::options().append(true).open(log.path()).unwrap();
        let (level, filter) = LogLevel::new(DEFAULT_DIRECTIVES.to_owned());
        let format = tracing_subscriber::fmt::layer().with_writer(Mutex::new(file));
        let subscriber = tracing_subscriber::registry().with(format.with_filter(filter));
        let _installed = tracing::subscriber::set_default(subscriber);
        assert_eq!(written(&log), ["ours-info", "audit-info"]);

        level.set("off", None).unwrap();
        assert_eq!(written(&log), ["audit-info"]);
        assert_eq!((&*level.directives(), level.ends_at()), ("off", None));

        let minute = Duration::from_secs(60);
        level.set(" warn, sahm=debug ", Some(minute)).unwrap();
        assert_eq!(written(&log), ["ours-debug", "ours-info", "audit-info"]);
        assert!(level.ends_at().is_some());

        // The end of an earlier change does not end the latest one.
        level.set("info", Some(2 * minute)).unwrap();
        tokio::time::sleep(minute * 3 / 2).await;
        assert_eq!(written(&log), ["ours-info", "other-info", "audit-info"]);
        tokio::time::sleep(minute).await;
        assert!(take(&log).contains("log level reset"));
        assert_eq!(written(&log), ["ours-info", "audit-info"]);
        assert_eq!(level.ends_at(), None);
    }

    #[test]
    fn wrong_directives_are_named() {
        for (directives, named) in [
            ("", "missing"),
            (" , ", "missing"),
            ("warn,sahm=loud", "`sahm=loud`"),
            ("sahm=debug,[", "`[`"),
            ("debgu", "`debgu`"),
            ("warn,sahm", "`sahm`"),
        ] {
            let why = parse(directives).err().unwrap().to_string();
            assert!(why.contains(named), "{directives}: {why}");
        }
    }
}
