//! Removes and anonymises old events.

use std::collections::BTreeSet;

use sahm_chassis::error::Result;
use sea_orm::{ColumnTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{
    EventStore,
    entities::{dead_letter, event, sink},
    member_data::anonymise,
    to_i64, to_u64,
};

/// Maximum number of events that one transaction reads and changes.
pub const PRUNE_BATCH: u64 = 500;

/// The outcome of a transaction in which old events are removed or anonymised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrunedBatch {
    /// Number of events that it changed.
    pub events: u64,
    /// The sequence after which the next batch begins; `None` if all later events stay.
    pub next: Option<u64>,
}

impl EventStore {
    /// Removes, among the oldest events after the sequence `after`, those received before `cutoff`
    /// (epoch milliseconds) that all `sinks` have accepted and that are not dead letters of any of
    /// them. Dead letters of other sinks are removed with their events.
    ///
    /// # Errors
    /// `Unavailable` if the store is unavailable.
    pub async fn prune(&self, sinks: &[String], cutoff: u64, after: u64) -> Result<PrunedBatch> {
        // Read before the dead letters: an event that a sink rejects meanwhile has a later
        // position.
        let taken = self.taken_by(sinks).await?;
        let events = self.batch(after, taken).await?;
        let (Some((first, _)), Some((last, _))) = (events.first(), events.last()) else {
            return Ok(PrunedBatch { events: 0, next: None });
        };
        let dead = self.dead_between(*first, *last, sinks).await?;
        let is_old = |received_at: u64| received_at < cutoff;
        let old = events
            .iter()
            .filter(|(sequence, received_at)| is_old(*received_at) && !dead.contains(sequence))
            .map(|(sequence, _)| *sequence)
            .collect::<Vec<_>>();
        let removed = if old.is_empty() {
            0
        } else {
            self.store
                .write(async |tx| {
                    let is_old = dead_letter::Column::Sequence.is_in(old.iter().copied());
                    dead_letter::Entity::delete_many().filter(is_old).exec(tx).await?;
                    let is_old = event::Column::Sequence.is_in(old.iter().copied());
                    Ok(event::Entity::delete_many().filter(is_old).exec(tx).await?.rows_affected)
                })
                .await?
        };
        // Sequences roughly follow the order of receipt.
        let is_last = events.len() as u64 != PRUNE_BATCH
            || events.iter().any(|(_, received_at)| !is_old(*received_at));
        Ok(PrunedBatch { events: removed, next: (!is_last).then(|| to_u64(*last)) })
    }

    /// Removes the personal data of the oldest events after the sequence `after`, up to the first
    /// one that was received at or after `cutoff` (epoch milliseconds). Counts the events that had
    /// personal data.
    ///
    /// # Errors
    /// `Unavailable` if the store is unavailable.
    pub async fn anonymise(&self, cutoff: u64, after: u64) -> Result<PrunedBatch> {
        let events = self.batch(after, i64::MAX).await?;
        let old = events.iter().take_while(|(_, received_at)| *received_at < cutoff);
        let Some((last, _)) = old.last() else { return Ok(PrunedBatch { events: 0, next: None }) };
        let sequence = event::Column::Sequence;
        let is_old = sequence.gt(to_i64(after)).and(sequence.lte(*last));
        let events = self.store.write(async |tx| anonymise(tx, is_old).await).await?;
        Ok(PrunedBatch { events, next: Some(to_u64(*last)) })
    }

    /// Sequences and times of receipt of the oldest events after one sequence and up to another.
    async fn batch(&self, after: u64, through: i64) -> Result<Vec<(i64, u64)>> {
        use event::Column::{ReceivedAt, Sequence};
        let rows: Vec<(i64, i64)> = event::Entity::find()
            .select_only()
            .columns([Sequence, ReceivedAt])
            .filter(Sequence.gt(to_i64(after)))
            .filter(Sequence.lte(through))
            .order_by_asc(Sequence)
            .limit(PRUNE_BATCH)
            .into_tuple()
            .all(self.store.reader())
            .await?;
        Ok(rows.into_iter().map(|(sequence, at)| (sequence, to_u64(at))).collect())
    }

    /// The sequence up to which all of these sinks have processed the events.
    async fn taken_by(&self, sinks: &[String]) -> Result<i64> {
        let position: Option<Option<i64>> = sink::Entity::find()
            .select_only()
            .expr(sink::Column::Position.min())
            .filter(sink::Column::Name.is_in(sinks))
            .into_tuple()
            .one(self.store.reader())
            .await?;
        Ok(position.flatten().unwrap_or(i64::MAX))
    }

    async fn dead_between(&self, first: i64, last: i64, sinks: &[String]) -> Result<BTreeSet<i64>> {
        let sequences: Vec<i64> = dead_letter::Entity::find()
            .select_only()
            .column(dead_letter::Column::Sequence)
            .filter(dead_letter::Column::Sequence.between(first, last))
            .filter(dead_letter::Column::Sink.is_in(sinks))
            .into_tuple()
            .all(self.store.reader())
            .await?;
        Ok(sequences.into_iter().collect())
    }
}
