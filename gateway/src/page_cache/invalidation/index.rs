//! The purge index: purges by service, surrogate tag and sequence, and the validation of entries against them
//! (docs/page-cache.md#purges). It uses neither the network nor the wall clock.

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use strum::IntoStaticStr;
use tokio::sync::watch;

use crate::page_cache::entry::{Entry, EntryData, LogPosition};

/// Retention of purges, seconds: longer than the lifetime of any entry.
const PURGE_TTL: u32 = 25 * 3600;
/// Maximum number of tags; beyond it, the purges of the log are discarded, which invalidates all its entries.
const MAX_TAGS: usize = 500_000;
/// Interval at which old purges are removed, seconds.
const EXPIRY_INTERVAL: u32 = 60;

/// Whether an entry may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Validity {
    /// None of its tags was purged.
    Valid,
    /// One of its tags was softly purged, at this time.
    SoftPurged(Instant),
    /// One of its tags was purged, or its log was replaced.
    Purged,
    /// The log has not answered yet: neither use the entry nor remove it.
    Unknown,
}

/// Id and position of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogHead {
    pub(crate) id: Arc<str>,
    pub(crate) sequence: u64,
}

/// The purge of one tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Purge {
    pub(crate) tag: String,
    pub(crate) sequence: u64,
    pub(crate) soft: bool,
}

impl Purge {
    pub(crate) const HARD: &str = "h";
    pub(crate) const SOFT: &str = "s";

    /// The kind of the purge in Redis.
    pub(crate) fn kind(&self) -> &'static str {
        if self.soft { Self::SOFT } else { Self::HARD }
    }
}

/// The content of a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) id: Arc<str>,
    /// Purges after this sequence are known.
    pub(crate) since: u64,
    /// Changes up to this sequence are known.
    pub(crate) applied: u64,
    pub(crate) purges: Vec<Purge>,
}

/// The purges of all followed logs.
#[derive(Debug)]
pub(crate) struct PurgeIndex {
    logs: RwLock<Vec<Log>>,
    /// Incremented by every change that can affect validity.
    epoch: AtomicU64,
    /// Epoch seconds of this process's start.
    started_at: u32,
    ready: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Log {
    service: Arc<str>,
    known: Option<LogContents>,
    /// The service has answered once, or the wait for it is over.
    usable: bool,
    /// The wait for services after the start is over.
    waited: bool,
    connected: bool,
    /// The log answers and is being read to its end.
    replaying: bool,
}

/// The known state of a log.
#[derive(Debug)]
struct LogContents {
    id: Arc<str>,
    /// Purges after this sequence are known.
    since: u64,
    /// Changes up to this sequence are known.
    applied: u64,
    /// A later sequence that another gateway has announced.
    hinted: u64,
    tags: HashMap<Box<str>, TagPurges>,
    /// The time of the latest change or heartbeat, epoch seconds.
    time: u32,
    expired_at: u32,
}

/// The latest purges of a tag.
#[derive(Clone, Copy, Debug, Default)]
struct TagPurges {
    hard: u64,
    soft: u64,
    softened: Option<Instant>,
    /// Epoch seconds.
    time: u32,
}

impl LogContents {
    fn new(id: Arc<str>, since: u64, time: u32) -> Self {
        let tags = HashMap::new();
        Self { id, since, applied: since, hinted: 0, tags, time, expired_at: time }
    }

    fn purge(&mut self, tag: &str, sequence: u64, soft: bool, time: u32) {
        let purges = self.tags.entry(tag.into()).or_default();
        purges.time = purges.time.max(time);
        if !soft {
            purges.hard = purges.hard.max(sequence);
        } else if sequence > purges.soft {
            purges.soft = sequence;
            purges.softened = Some(Instant::now());
        }
        if self.tags.len() > MAX_TAGS {
            self.since = self.applied.max(sequence);
            self.tags.clear();
        }
    }

    /// Advances to a position of the log, and forgets purges that are older than any entry.
    fn advance(&mut self, sequence: u64, time: u32) {
        self.applied = self.applied.max(sequence);
        self.time = self.time.max(time);
        if self.time < self.expired_at.saturating_add(EXPIRY_INTERVAL) {
            return;
        }
        self.expired_at = self.time;
        let Self { since, tags, time, .. } = self;
        tags.retain(|_, purges| {
            let is_remembered = purges.time.saturating_add(PURGE_TTL) >= *time;
            if !is_remembered {
                *since = purges.hard.max(purges.soft).max(*since);
            }
            is_remembered
        });
    }

    fn validate(&self, entry: &EntryData, position: &LogPosition) -> Validity {
        if *position.log_id != *self.id || position.sequence < self.since {
            return Validity::Purged;
        }
        let mut softened = None;
        for purges in entry.tags.iter().filter_map(|tag| self.tags.get(tag)) {
            if purges.hard > position.sequence {
                return Validity::Purged;
            }
            if purges.soft > position.sequence {
                softened = softened.max(purges.softened);
            }
        }
        softened.map_or(Validity::Valid, Validity::SoftPurged)
    }
}

impl Log {
    fn validate(&self, entry: &EntryData, started_at: u32) -> Validity {
        let position = entry.positions.iter().find(|position| *position.service == *self.service);
        match (&self.known, self.usable, position) {
            (Some(known), true, Some(position)) => known.validate(entry, position),
            (Some(_), true, None) => Validity::Purged,
            // There is nothing to validate against: entries of this process stay in use.
            (_, _, None) if entry.own => Validity::Valid,
            (None, true, _) if entry.times.created_at > started_at => Validity::Valid,
            (None, true, _) => Validity::Purged,
            (_, false, _) => Validity::Unknown,
        }
    }

    fn position(&self) -> Option<LogPosition> {
        let known = self.known.as_ref().filter(|_| self.usable)?;
        Some(LogPosition {
            service: self.service.to_string(),
            log_id: known.id.to_string(),
            sequence: known.applied.max(known.hinted),
        })
    }
}

impl PurgeIndex {
    pub(crate) fn new(services: impl IntoIterator<Item = Arc<str>>, started_at: u32) -> Self {
        let log = |service| Log { service, ..Log::default() };
        let logs: Vec<_> = services.into_iter().map(log).collect();
        let ready = watch::Sender::new(logs.is_empty());
        Self { logs: RwLock::new(logs), epoch: AtomicU64::new(1), started_at, ready }
    }

    /// Whether the entry may be used. While the index does not change, this costs one comparison for valid entries.
    pub(crate) fn validate(&self, entry: &Entry) -> Validity {
        // Read first: if a purge happens during validation, the recorded epoch is an old one.
        let epoch = self.epoch.load(Ordering::Acquire);
        if entry.stats.valid_in_epoch.load(Ordering::Relaxed) == epoch {
            return Validity::Valid;
        }
        let validity = self.validate_data(entry);
        if validity == Validity::Valid {
            entry.stats.valid_in_epoch.store(epoch, Ordering::Relaxed);
        }
        validity
    }

    /// Whether an entry with this data may be used.
    pub(crate) fn validate_data(&self, entry: &EntryData) -> Validity {
        let mut softened: Option<Instant> = None;
        for log in &*self.read() {
            match log.validate(entry, self.started_at) {
                Validity::Valid => {}
                Validity::SoftPurged(at) => softened = softened.max(Some(at)),
                other => return other,
            }
        }
        softened.map_or(Validity::Valid, Validity::SoftPurged)
    }

    /// The positions of all known logs: data read from now on is at least as new.
    pub(crate) fn positions(&self) -> Vec<LogPosition> {
        self.read().iter().filter_map(Log::position).collect()
    }

    /// The position of one service's log.
    pub(crate) fn position(&self, service: &str) -> Option<LogPosition> {
        self.of(service, |log| log.position())
    }

    /// The number of logs.
    pub(crate) fn logs(&self) -> usize {
        self.read().len()
    }

    /// Where to resume a service's log; `None` if the log is unknown.
    pub(crate) fn resume(&self, service: &str) -> Option<LogHead> {
        self.of(service, |log| {
            let known = log.known.as_ref()?;
            Some(LogHead { id: known.id.clone(), sequence: known.applied })
        })
    }

    /// Whether a service's log is being read.
    pub(crate) fn connected(&self, service: &str) -> bool {
        self.of(service, |log| log.connected.then_some(())).is_some()
    }

    /// The content of the replica; purges after the sequence `after` only.
    pub(crate) fn snapshot(&self, service: &str, after: u64) -> Option<Snapshot> {
        self.of(service, |log| {
            let known = log.known.as_ref()?;
            let purges = known.tags.iter().flat_map(|(tag, purges)| {
                [(purges.hard, false), (purges.soft, true)]
                    .into_iter()
                    .filter(|(sequence, _)| *sequence > after)
                    .map(|(sequence, soft)| Purge { tag: tag.to_string(), sequence, soft })
            });
            Some(Snapshot {
                id: known.id.clone(),
                since: known.since,
                applied: known.applied,
                purges: purges.collect(),
            })
        })
    }

    /// Starts over with another log, or the same one after a gap: entries of the previous one are purged.
    pub(crate) fn restart(&self, service: &str, head: LogHead) {
        self.change(service, |log| {
            log.known = Some(LogContents::new(head.id, head.sequence, self.started_at));
        });
    }

    /// Uses the replica if the log itself has not answered yet.
    pub(crate) fn restore(&self, service: &str, snapshot: &Snapshot) {
        self.change(service, |log| {
            if log.known.is_some() {
                return;
            }
            let known = LogContents::new(snapshot.id.clone(), snapshot.since, self.started_at);
            let known = log.known.insert(known);
            known.applied = snapshot.applied;
            for purge in &snapshot.purges {
                known.purge(&purge.tag, purge.sequence, purge.soft, self.started_at);
            }
        });
    }

    /// Applies a change of the log's stream: the purge of these tags at `time`, epoch seconds.
    pub(crate) fn apply(
        &self,
        service: &str,
        sequence: u64,
        time: u32,
        tags: &[String],
        soft: bool,
    ) {
        self.change_known(service, |known| {
            for tag in tags {
                known.purge(tag, sequence, soft, time);
            }
            known.advance(sequence, time);
        });
    }

    /// Applies a purge that another gateway announced, ahead of this gateway's own stream.
    pub(crate) fn hint(&self, service: &str, log_id: &str, purge: &Purge) {
        self.change_known(service, |known| {
            if &*known.id == log_id && purge.sequence > known.applied {
                known.purge(&purge.tag, purge.sequence, purge.soft, known.time);
                // Sequence order is commit order: data read from now on is at least as new.
                known.hinted = known.hinted.max(purge.sequence);
            }
        });
    }

    /// The log has reached this sequence without further purges.
    pub(crate) fn checkpoint(&self, service: &str, sequence: u64, now: u32) {
        self.change_known(service, |known| known.advance(sequence, now));
    }

    /// Marks a log as answering and being read to its end.
    pub(crate) fn replay(&self, service: &str) {
        self.change(service, |log| log.replaying = true);
    }

    /// Marks a log as read to its end, or as disconnected.
    pub(crate) fn connect(&self, service: &str, connected: bool) {
        self.change(service, |log| {
            log.connected = connected;
            log.replaying = false;
            log.usable |= connected || log.waited;
        });
    }

    /// Discards the state of a log whose first reading was interrupted.
    pub(crate) fn reset(&self, service: &str) {
        self.change(service, |log| log.known = log.known.take().filter(|_| log.usable));
    }

    /// Ends the wait for services that have not answered: their replicas are used.
    pub(crate) fn end_start_wait(&self) {
        self.change_all(|logs| {
            for log in logs {
                log.waited = true;
                log.usable |= !log.replaying;
            }
        });
    }

    /// Waits until every log has answered or its wait is over.
    pub(crate) async fn ready(&self) {
        if !*self.ready.borrow() {
            let _ = self.ready.subscribe().wait_for(|ready| *ready).await;
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Vec<Log>> {
        self.logs.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn of<T>(&self, service: &str, read: impl FnOnce(&Log) -> Option<T>) -> Option<T> {
        self.read().iter().find(|log| &*log.service == service).and_then(read)
    }

    fn change_known(&self, service: &str, change: impl FnOnce(&mut LogContents)) {
        self.change(service, |log| {
            if let Some(known) = &mut log.known {
                change(known);
            }
        });
    }

    fn change(&self, service: &str, change: impl FnOnce(&mut Log)) {
        self.change_all(|logs| {
            if let Some(log) = logs.iter_mut().find(|log| &*log.service == service) {
                change(log);
            }
        });
    }

    fn change_all(&self, change: impl FnOnce(&mut [Log])) {
        let mut logs = self.logs.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut logs);
        // Under the lock, so that a thread that reads the new epoch sees the change.
        self.epoch.fetch_add(1, Ordering::AcqRel);
        let ready = logs.iter().all(|log| log.usable);
        self.ready.send_replace(ready);
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
