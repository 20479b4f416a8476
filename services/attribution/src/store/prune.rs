//! Removes and anonymises old events.

use std::collections::BTreeSet;

use sahm_chassis::error::Result;
use sea_orm::{
    ConnectionTrait, DbErr, ExprTrait, QueryResult,
    sea_query::{Expr, Order, Query},
};

use super::{EventStore, member_data::anonymise, to_i64, to_u64};

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
            let delete = |table: &'static str| {
                Query::delete()
                    .from_table(table)
                    .and_where(Expr::col("sequence").is_in(old.iter().copied()))
                    .to_owned()
            };
            let (dead_letters, events) = (delete("dead_letter"), delete("event"));
            self.store
                .write(async |tx| {
                    tx.execute(&dead_letters).await?;
                    Ok(tx.execute(&events).await?.rows_affected())
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
        let is_old = Expr::col("sequence").gt(to_i64(after)).and(Expr::col("sequence").lte(*last));
        let events = self.store.write(async |tx| anonymise(tx, is_old).await).await?;
        Ok(PrunedBatch { events, next: Some(to_u64(*last)) })
    }

    /// Sequences and times of receipt of the oldest events after one sequence and up to another.
    async fn batch(&self, after: u64, through: i64) -> Result<Vec<(i64, u64)>> {
        let query = Query::select()
            .columns(["sequence", "received_at"])
            .from("event")
            .and_where(Expr::col("sequence").gt(to_i64(after)))
            .and_where(Expr::col("sequence").lte(through))
            .order_by("sequence", Order::Asc)
            .limit(PRUNE_BATCH)
            .to_owned();
        let rows = self.store.reader().query_all(&query).await?;
        let event =
            |row: &QueryResult| Ok((row.try_get_by_index(0)?, to_u64(row.try_get_by_index(1)?)));
        Ok(rows.iter().map(event).collect::<Result<_, DbErr>>()?)
    }

    /// The sequence up to which all of these sinks have processed the events.
    async fn taken_by(&self, sinks: &[String]) -> Result<i64> {
        let query = Query::select()
            .expr(Expr::col("position").min())
            .from("sink")
            .and_where(Expr::col("name").is_in(sinks.iter().map(String::as_str)))
            .to_owned();
        let row = self.store.reader().query_one(&query).await?;
        let position: Option<i64> = row.map(|row| row.try_get_by_index(0)).transpose()?.flatten();
        Ok(position.unwrap_or(i64::MAX))
    }

    async fn dead_between(&self, first: i64, last: i64, sinks: &[String]) -> Result<BTreeSet<i64>> {
        let query = Query::select()
            .column("sequence")
            .from("dead_letter")
            .and_where(Expr::col("sequence").between(first, last))
            .and_where(Expr::col("sink").is_in(sinks.iter().map(String::as_str)))
            .to_owned();
        let rows = self.store.reader().query_all(&query).await?;
        Ok(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, DbErr>>()?)
    }
}
