//! The purge index: what was purged, by service, tag and sequence, and the validation of entries by it
//! (docs/page-cache.md). It uses neither clock nor network.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use tokio::sync::watch;

use crate::page_cache::entry::{Entry, LogPosition};

/// Purges are remembered for this long, seconds: longer than any entry lives.
const KEPT: u32 = 25 * 3600;
/// With more tags the index of the log is emptied, which invalidates every entry of it.
const MOST_TAGS: usize = 500_000;
/// Interval of the checkpoints by which old purges are found, seconds.
const STEP: u32 = 60;

/// Whether an entry may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::page_cache) enum Validity {
    /// Nothing of it was purged.
    Valid,
    /// Something of it was softly purged, at this moment.
    SoftPurged(Instant),
    /// Something of it was purged, or its log is another one.
    Purged,
    /// The log has not answered yet: neither use the entry nor remove it.
    Unknown,
}

/// Id and position of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::page_cache) struct LogHead {
    pub(in crate::page_cache) id: Arc<str>,
    pub(in crate::page_cache) sequence: u64,
}

/// A change to index.
#[derive(Clone, Copy, Debug)]
pub(in crate::page_cache) struct Purge<'a> {
    pub(in crate::page_cache) sequence: u64,
    pub(in crate::page_cache) tags: &'a [String],
    pub(in crate::page_cache) soft: bool,
    /// Epoch seconds.
    pub(in crate::page_cache) time: u32,
}

/// The content of a replica.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::page_cache) struct Snapshot {
    pub(in crate::page_cache) id: String,
    /// Purges after this sequence are known.
    pub(in crate::page_cache) since: u64,
    /// Changes up to this sequence are known.
    pub(in crate::page_cache) applied: u64,
    pub(in crate::page_cache) hard: Vec<(String, u64)>,
    pub(in crate::page_cache) soft: Vec<(String, u64)>,
}

/// The purges of all followed logs.
#[derive(Debug)]
pub(in crate::page_cache) struct PurgeIndex {
    logs: Vec<Log>,
    /// Incremented by everything that can change a validity.
    epoch: AtomicU64,
    /// Epoch seconds of this process's start.
    born: u32,
    /// The wait for services after the start is over.
    waited: AtomicBool,
    ready: watch::Sender<bool>,
}

#[derive(Debug)]
struct Log {
    service: Arc<str>,
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    known: Option<Known>,
    /// The service has answered once, or the wait for it is over.
    usable: bool,
    connected: bool,
    /// The log answers and is being read to its end.
    replaying: bool,
}

#[derive(Debug)]
struct Known {
    id: Arc<str>,
    since: u64,
    applied: u64,
    /// A later sequence that another gateway has announced.
    hinted: u64,
    marks: HashMap<Box<str>, Marks>,
    points: VecDeque<(u32, u64)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    hard: u64,
    soft: u64,
    soft_at: Option<Instant>,
}

impl Known {
    fn new(id: Arc<str>, since: u64) -> Self {
        Self {
            id,
            since,
            applied: since,
            hinted: 0,
            marks: HashMap::new(),
            points: VecDeque::new(),
        }
    }

    fn mark(&mut self, purge: Purge<'_>) {
        for tag in purge.tags {
            let marks = match self.marks.get_mut(tag.as_str()) {
                Some(marks) => marks,
                None => self.marks.entry(tag.as_str().into()).or_default(),
            };
            if purge.soft {
                if purge.sequence > marks.soft {
                    marks.soft = purge.sequence;
                    marks.soft_at = Some(Instant::now());
                }
            } else {
                marks.hard = marks.hard.max(purge.sequence);
            }
        }
        if self.marks.len() > MOST_TAGS {
            self.forget(self.applied.max(purge.sequence));
        }
    }

    /// Adds a checkpoint, and removes purges that are older than any entry.
    fn expire(&mut self, sequence: u64, time: u32) {
        if self.points.back().is_none_or(|(last, _)| time >= last.saturating_add(STEP)) {
            self.points.push_back((time, sequence));
        }
        let mut over = None;
        while let Some(&(then, sequence)) = self.points.front() {
            if then.saturating_add(KEPT) >= time {
                break;
            }
            over = Some(sequence);
            self.points.pop_front();
        }
        if let Some(sequence) = over {
            self.forget(sequence);
        }
    }

    fn forget(&mut self, upto: u64) {
        self.since = self.since.max(upto);
        let since = self.since;
        self.marks.retain(|_, marks| marks.hard.max(marks.soft) > since);
    }

    fn validate(&self, entry: &Entry, position: &LogPosition) -> Validity {
        if position.log_id != self.id || position.sequence < self.since {
            return Validity::Purged;
        }
        let mut soft = None;
        for tag in &entry.tags {
            let Some(marks) = self.marks.get(tag.as_ref()) else { continue };
            if marks.hard > position.sequence {
                return Validity::Purged;
            }
            if marks.soft > position.sequence {
                soft = soft.max(marks.soft_at);
            }
        }
        soft.map_or(Validity::Valid, Validity::SoftPurged)
    }
}

impl PurgeIndex {
    pub(in crate::page_cache) fn new(
        services: impl IntoIterator<Item = Arc<str>>,
        born: u32,
    ) -> Self {
        let logs: Vec<_> =
            services.into_iter().map(|service| Log { service, state: RwLock::default() }).collect();
        let ready = watch::Sender::new(logs.is_empty());
        Self { logs, epoch: AtomicU64::new(1), born, waited: AtomicBool::new(false), ready }
    }

    /// Whether the entry may be used.
    pub(in crate::page_cache) fn validate(&self, entry: &Entry) -> Validity {
        // Read first: a purge during validation makes the noted epoch an old one.
        let epoch = self.epoch.load(Ordering::Acquire);
        if entry.stats.valid_in_epoch.load(Ordering::Relaxed) == epoch {
            return Validity::Valid;
        }
        let mut soft: Option<Instant> = None;
        for log in &self.logs {
            match self.validate_by(log, entry) {
                Validity::Valid => {}
                Validity::SoftPurged(at) => soft = soft.max(Some(at)),
                other => return other,
            }
        }
        match soft {
            Some(at) => Validity::SoftPurged(at),
            None => {
                entry.stats.valid_in_epoch.store(epoch, Ordering::Relaxed);
                Validity::Valid
            }
        }
    }

    fn validate_by(&self, log: &Log, entry: &Entry) -> Validity {
        let state = log.read();
        let position = entry.positions.iter().find(|position| position.service == log.service);
        match (&state.known, state.usable, position) {
            (Some(known), true, Some(position)) => known.validate(entry, position),
            (Some(_), true, None) => Validity::Purged,
            // Nothing to validate by: what this process produced stays in use.
            (_, _, None) if entry.own => Validity::Valid,
            (None, true, _) if entry.times.created_at > self.born => Validity::Valid,
            (None, true, _) => Validity::Purged,
            (_, false, _) => Validity::Unknown,
        }
    }

    /// The positions of all known logs: data read from now on is at least as new.
    pub(in crate::page_cache) fn positions(&self) -> Vec<LogPosition> {
        self.logs.iter().filter_map(|log| self.position_in(log)).collect()
    }

    /// The position of one service's log.
    pub(in crate::page_cache) fn position(&self, service: &str) -> Option<LogPosition> {
        self.log(service).and_then(|log| self.position_in(log))
    }

    fn position_in(&self, log: &Log) -> Option<LogPosition> {
        let state = log.read();
        let known = state.known.as_ref().filter(|_| state.usable)?;
        Some(LogPosition {
            service: log.service.clone(),
            log_id: known.id.clone(),
            sequence: known.applied.max(known.hinted),
        })
    }

    /// How many logs there are.
    pub(in crate::page_cache) fn logs(&self) -> usize {
        self.logs.len()
    }

    /// Where to resume a service's log; `None` if nothing of it is known.
    pub(in crate::page_cache) fn resume(&self, service: &str) -> Option<LogHead> {
        let state = self.log(service)?.read();
        let known = state.known.as_ref()?;
        Some(LogHead { id: known.id.clone(), sequence: known.applied })
    }

    /// Starts over with another log, or the same one after a gap: entries of the previous one are purged.
    pub(in crate::page_cache) fn restart(&self, service: &str, head: LogHead) {
        self.change(service, |state| {
            state.known = Some(Known::new(head.id, head.sequence));
        });
    }

    /// Uses the replica where the log itself has not answered yet.
    pub(in crate::page_cache) fn restore(&self, service: &str, snapshot: &Snapshot) {
        self.change(service, |state| {
            if state.known.is_some() {
                return;
            }
            let mut known = Known::new(Arc::from(snapshot.id.as_str()), snapshot.since);
            known.applied = snapshot.applied;
            for (marks, soft) in [(&snapshot.hard, false), (&snapshot.soft, true)] {
                for (tag, sequence) in marks {
                    let tags = std::slice::from_ref(tag);
                    known.mark(Purge { sequence: *sequence, tags, soft, time: 0 });
                }
            }
            state.known = Some(known);
        });
    }

    /// Applies a change of the log's stream.
    pub(in crate::page_cache) fn apply(&self, service: &str, purge: Purge<'_>) {
        self.change(service, |state| {
            if let Some(known) = &mut state.known {
                known.mark(purge);
                known.applied = known.applied.max(purge.sequence);
                known.expire(purge.sequence, purge.time);
            }
        });
    }

    /// Applies a change that another gateway announced, ahead of the own stream.
    pub(in crate::page_cache) fn hint(&self, service: &str, log_id: &str, purge: Purge<'_>) {
        self.change(service, |state| {
            if let Some(known) = &mut state.known
                && &*known.id == log_id
                && purge.sequence > known.applied
            {
                known.mark(purge);
                // Sequence order is commit order: what is read from now on is at least as new.
                known.hinted = known.hinted.max(purge.sequence);
            }
        });
    }

    /// The log has reached this sequence without further purges.
    pub(in crate::page_cache) fn checkpoint(&self, service: &str, sequence: u64, now: u32) {
        if let Some(log) = self.log(service)
            && let Some(known) = &mut log.write().known
        {
            known.applied = known.applied.max(sequence);
            known.expire(sequence, now);
        }
    }

    /// Marks a log as answering and being read to its end.
    pub(in crate::page_cache) fn replay(&self, service: &str) {
        self.change(service, |state| state.replaying = true);
    }

    /// Marks a log as read to its end, or as disconnected.
    pub(in crate::page_cache) fn connect(&self, service: &str, connected: bool) {
        let waited = self.waited.load(Ordering::Acquire);
        self.change(service, |state| {
            state.connected = connected;
            state.replaying = false;
            state.usable |= connected || waited;
        });
        self.settle();
    }

    /// Discards what is known of a log whose first reading broke off.
    pub(in crate::page_cache) fn reset(&self, service: &str) {
        self.change(service, |state| {
            if !state.usable {
                state.known = None;
            }
        });
    }

    /// Ends the wait for services that have not answered: their replicas are used.
    pub(in crate::page_cache) fn end_start_wait(&self) {
        self.waited.store(true, Ordering::Release);
        for log in &self.logs {
            self.change(&log.service, |state| state.usable |= !state.replaying);
        }
        self.settle();
    }

    /// Waits until every log has answered or its wait is over.
    pub(in crate::page_cache) async fn ready(&self) {
        if !*self.ready.borrow() {
            let _ = self.ready.subscribe().wait_for(|ready| *ready).await;
        }
    }

    /// Whether a service's log is being read.
    pub(in crate::page_cache) fn connected(&self, service: &str) -> bool {
        self.log(service).is_some_and(|log| log.read().connected)
    }

    /// The content of the replica; purges after the sequence `after` only.
    pub(in crate::page_cache) fn snapshot(&self, service: &str, after: u64) -> Option<Snapshot> {
        let state = self.log(service)?.read();
        let known = state.known.as_ref()?;
        let pick = |pick: fn(&Marks) -> u64| {
            known
                .marks
                .iter()
                .map(|(tag, marks)| (tag, pick(marks)))
                .filter(|(_, sequence)| *sequence > after)
                .map(|(tag, sequence)| (tag.to_string(), sequence))
                .collect()
        };
        Some(Snapshot {
            id: known.id.to_string(),
            since: known.since,
            applied: known.applied,
            hard: pick(|marks| marks.hard),
            soft: pick(|marks| marks.soft),
        })
    }

    fn settle(&self) {
        let ready = self.logs.iter().all(|log| log.read().usable);
        self.ready.send_if_modified(|value| std::mem::replace(value, ready) != ready);
    }

    fn log(&self, service: &str) -> Option<&Log> {
        self.logs.iter().find(|log| &*log.service == service)
    }

    fn change(&self, service: &str, change: impl FnOnce(&mut State)) {
        if let Some(log) = self.log(service) {
            let mut state = log.write();
            change(&mut state);
            // Under the lock: whoever reads the new epoch sees the change.
            self.epoch.fetch_add(1, Ordering::AcqRel);
        }
    }
}

impl Log {
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
