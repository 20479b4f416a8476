//! What was purged, by service, tag and sequence, and the judgement of entries by it
//! (docs/page-cache.md). No clock, no network.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use tokio::sync::watch;

use super::entry::{Entry, LogPosition};

/// Purges are kept this long and a little more; no entry lives longer.
const KEPT: u32 = 25 * 3600;
/// Beyond so many tags the log is forgotten instead, and with it every entry made under it.
const MOST_TAGS: usize = 500_000;
/// Distance of the points by which old purges are found, seconds.
const STEP: u32 = 60;

/// Whether an entry may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing of it was purged.
    Good,
    /// Something of it was softly purged, at this moment.
    Soft(Instant),
    /// Something of it was purged, or its log is another one.
    Gone,
    /// Too early to tell: not to be used, not to be dropped.
    Unknown,
}

/// What a message says of the log itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogHead {
    pub(super) id: Arc<str>,
    pub(super) sequence: u64,
}

/// A change to be remembered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purge<'a> {
    pub(super) sequence: u64,
    pub(super) tags: &'a [String],
    pub(super) soft: bool,
    /// Epoch seconds.
    pub(super) time: u32,
}

/// A log as the mirror keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshot {
    pub(super) id: String,
    /// Purges after this sequence are known.
    pub(super) since: u64,
    /// Changes up to this sequence are known.
    pub(super) applied: u64,
    pub(super) hard: Vec<(String, u64)>,
    pub(super) soft: Vec<(String, u64)>,
}

/// All followed logs.
#[derive(Debug)]
pub(super) struct PurgeIndex {
    logs: Vec<Log>,
    /// Counts everything that can change a verdict.
    epoch: AtomicU64,
    /// Epoch seconds of this process's start.
    born: u32,
    /// Services that do not answer are no longer waited for.
    waited: AtomicBool,
    settled: watch::Sender<bool>,
}

#[derive(Debug)]
struct Log {
    service: Arc<str>,
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    known: Option<Known>,
    /// Judgement has begun: the service has answered once, or was given up waiting for.
    usable: bool,
    connected: bool,
    /// The log answers and is being read up to its end.
    replaying: bool,
}

#[derive(Debug)]
struct Known {
    id: Arc<str>,
    since: u64,
    applied: u64,
    /// A later sequence that another gateway has seen committed.
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

    /// Lets a point in time go by, and forgets what no living entry can have been made before.
    fn pass(&mut self, sequence: u64, time: u32) {
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

    fn judge(&self, entry: &Entry, position: &LogPosition) -> Verdict {
        if position.log_id != self.id || position.sequence < self.since {
            return Verdict::Gone;
        }
        let mut soft = None;
        for tag in &entry.tags {
            let Some(marks) = self.marks.get(tag.as_ref()) else { continue };
            if marks.hard > position.sequence {
                return Verdict::Gone;
            }
            if marks.soft > position.sequence {
                soft = soft.max(marks.soft_at);
            }
        }
        soft.map_or(Verdict::Good, Verdict::Soft)
    }
}

impl PurgeIndex {
    pub(super) fn new(services: impl IntoIterator<Item = Arc<str>>, born: u32) -> Self {
        let logs: Vec<_> =
            services.into_iter().map(|service| Log { service, state: RwLock::default() }).collect();
        let settled = watch::Sender::new(logs.is_empty());
        Self { logs, epoch: AtomicU64::new(1), born, waited: AtomicBool::new(false), settled }
    }

    /// Whether the entry may be used now.
    pub(super) fn judge(&self, entry: &Entry) -> Verdict {
        // Read first: a purge that comes while judging makes the noted verdict an old one.
        let epoch = self.epoch.load(Ordering::Acquire);
        if entry.uses.judged.load(Ordering::Relaxed) == epoch {
            return Verdict::Good;
        }
        let mut soft: Option<Instant> = None;
        for log in &self.logs {
            match self.judge_by(log, entry) {
                Verdict::Good => {}
                Verdict::Soft(at) => soft = soft.max(Some(at)),
                other => return other,
            }
        }
        match soft {
            Some(at) => Verdict::Soft(at),
            None => {
                entry.uses.judged.store(epoch, Ordering::Relaxed);
                Verdict::Good
            }
        }
    }

    fn judge_by(&self, log: &Log, entry: &Entry) -> Verdict {
        let state = log.read();
        let position = entry.positions.iter().find(|position| position.service == log.service);
        match (&state.known, state.usable, position) {
            (Some(known), true, Some(position)) => known.judge(entry, position),
            (Some(_), true, None) => Verdict::Gone,
            // Nothing to judge by: what this process made stays in use.
            (_, _, None) if entry.own => Verdict::Good,
            (None, true, _) if entry.times.made_at > self.born => Verdict::Good,
            (None, true, _) => Verdict::Gone,
            (_, false, _) => Verdict::Unknown,
        }
    }

    /// The positions that data read from now on is at least as new as. A log that is not known
    /// yet has none.
    pub(super) fn positions(&self) -> Vec<LogPosition> {
        self.logs.iter().filter_map(|log| self.position_in(log)).collect()
    }

    /// The position of one service's log.
    pub(super) fn position(&self, service: &str) -> Option<LogPosition> {
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
    pub(super) fn logs(&self) -> usize {
        self.logs.len()
    }

    /// Where to go on in a service's log; none when nothing is known of it.
    pub(super) fn resume(&self, service: &str) -> Option<LogHead> {
        let state = self.log(service)?.read();
        let known = state.known.as_ref()?;
        Some(LogHead { id: known.id.clone(), sequence: known.applied })
    }

    /// Takes another log, or the same after a gap: all that was made under the former is gone.
    pub(super) fn restart(&self, service: &str, head: LogHead) {
        self.change(service, |state| {
            state.known = Some(Known::new(head.id, head.sequence));
        });
    }

    /// Takes what the mirror holds, where the log itself has not answered yet.
    pub(super) fn adopt(&self, service: &str, snapshot: &Snapshot) {
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

    /// A change from the log's own stream.
    pub(super) fn apply(&self, service: &str, purge: Purge<'_>) {
        self.change(service, |state| {
            if let Some(known) = &mut state.known {
                known.mark(purge);
                known.applied = known.applied.max(purge.sequence);
                known.pass(purge.sequence, purge.time);
            }
        });
    }

    /// A change that another gateway has seen, ahead of the own stream.
    pub(super) fn hint(&self, service: &str, log_id: &str, purge: Purge<'_>) {
        self.change(service, |state| {
            if let Some(known) = &mut state.known
                && &*known.id == log_id
                && purge.sequence > known.applied
            {
                known.mark(purge);
                // Sequence order is commit order, so what is read from now on is this new.
                known.hinted = known.hinted.max(purge.sequence);
            }
        });
    }

    /// The log stands at least here, with nothing purged between.
    pub(super) fn reached(&self, service: &str, sequence: u64, now: u32) {
        if let Some(log) = self.log(service)
            && let Some(known) = &mut log.write().known
        {
            known.applied = known.applied.max(sequence);
            known.pass(sequence, now);
        }
    }

    /// Says that a service's log answers and is being read up to its end.
    pub(super) fn replay(&self, service: &str) {
        self.change(service, |state| state.replaying = true);
    }

    /// Says that a service's log is read to its end, or no longer read.
    pub(super) fn connect(&self, service: &str, connected: bool) {
        let waited = self.waited.load(Ordering::Acquire);
        self.change(service, |state| {
            state.connected = connected;
            state.replaying = false;
            state.usable |= connected || waited;
        });
        self.settle();
    }

    /// Takes back what was learnt of a log whose first reading broke off.
    pub(super) fn unlearn(&self, service: &str) {
        self.change(service, |state| {
            if !state.usable {
                state.known = None;
            }
        });
    }

    /// Ends the wait for services that have not answered: what the mirror said counts.
    pub(super) fn give_up_waiting(&self) {
        self.waited.store(true, Ordering::Release);
        for log in &self.logs {
            self.change(&log.service, |state| state.usable |= !state.replaying);
        }
        self.settle();
    }

    /// Waits until entries can be judged by every log, by the mirror, or not at all.
    pub(super) async fn settled(&self) {
        if !*self.settled.borrow() {
            let _ = self.settled.subscribe().wait_for(|settled| *settled).await;
        }
    }

    /// Services whose log is being read.
    pub(super) fn connected(&self, service: &str) -> bool {
        self.log(service).is_some_and(|log| log.read().connected)
    }

    /// What the mirror has to hold, purges after `after` only.
    pub(super) fn snapshot(&self, service: &str, after: u64) -> Option<Snapshot> {
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
        let settled = self.logs.iter().all(|log| log.read().usable);
        self.settled.send_if_modified(|value| std::mem::replace(value, settled) != settled);
    }

    fn log(&self, service: &str) -> Option<&Log> {
        self.logs.iter().find(|log| &*log.service == service)
    }

    fn change(&self, service: &str, change: impl FnOnce(&mut State)) {
        if let Some(log) = self.log(service) {
            let mut state = log.write();
            change(&mut state);
            // While the lock is held: who sees the new epoch sees the change.
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
#[path = "purge_tests.rs"]
mod tests;
