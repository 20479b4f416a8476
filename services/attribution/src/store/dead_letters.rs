//! Dead letters: events that a sink rejected.

use std::collections::HashMap;

use sahm_chassis::error::Result;
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};

use super::{
    EventStore, Lease,
    entities::{
        dead_letter::{Column, Entity},
        event, sink,
    },
    sinks::responded,
    to_i64, to_u32,
};
use crate::domain::Event;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetterRow {
    pub event: Event,
    pub reason: String,
    /// Epoch seconds.
    pub died_at: u32,
}

impl EventStore {
    /// Dead letters of a sink with sequences above `after`, oldest first.
    pub async fn dead_letters(
        &self,
        sink: &str,
        after: u64,
        size: u64,
    ) -> Result<Vec<DeadLetterRow>> {
        self.dead_letters_where(sink, after, size, false).await
    }

    /// Dead letters that are queued for a replay, oldest first.
    pub async fn replaying(&self, sink: &str, size: u64) -> Result<Vec<DeadLetterRow>> {
        self.dead_letters_where(sink, 0, size, true).await
    }

    async fn dead_letters_where(
        &self,
        sink: &str,
        after: u64,
        size: u64,
        replaying: bool,
    ) -> Result<Vec<DeadLetterRow>> {
        let rows = Entity::find()
            .filter(Column::Sink.eq(sink))
            .filter(Column::Sequence.gt(to_i64(after)))
            .filter(Column::Replaying.eq(replaying))
            .order_by_asc(Column::Sequence)
            .limit(size)
            .all(self.store.reader())
            .await?;
        let sequences = event::Column::Sequence.is_in(rows.iter().map(|row| row.sequence));
        let events = self.read(event::Entity::find().filter(sequences)).await?;
        let mut events: HashMap<i64, Event> =
            events.into_iter().map(|event| (to_i64(event.sequence), event)).collect();
        // Events of a sink that is no longer configured may have been removed since, with their
        // dead letters.
        let dead_letters = rows.into_iter().filter_map(|row| {
            let event = events.remove(&row.sequence)?;
            Some(DeadLetterRow { event, reason: row.reason, died_at: to_u32(row.died_at) })
        });
        Ok(dead_letters.collect())
    }

    /// Queues dead letters for a replay: those with these sequences, or all. Returns their number,
    /// or `None` for an unknown sink.
    pub async fn replay(&self, sink: &str, sequences: &[u64]) -> Result<Option<u64>> {
        let mut update = Entity::update_many()
            .col_expr(Column::Replaying, Expr::val(true))
            .filter(Column::Sink.eq(sink))
            .filter(Column::Replaying.eq(false));
        if !sequences.is_empty() {
            let sequences = sequences.iter().map(|sequence| to_i64(*sequence));
            update = update.filter(Column::Sequence.is_in(sequences));
        }
        self.store
            .write(async |tx| {
                if sink::Entity::find_by_id(sink).one(tx).await?.is_none() {
                    return Ok(None);
                }
                Ok(Some(update.exec(tx).await?.rows_affected))
            })
            .await
    }

    /// Ends a replay: the sink accepted the event, or rejected it again with a reason. Returns
    /// false if the lease was lost.
    pub async fn replayed(
        &self,
        lease: &Lease,
        sequence: u64,
        refused: Option<&str>,
        now: u32,
    ) -> Result<bool> {
        let letter = Condition::all()
            .add(Column::Sink.eq(lease.sink.as_str()))
            .add(Column::Sequence.eq(to_i64(sequence)));
        self.store
            .write(async |tx| {
                let advance = responded(lease, u64::from(refused.is_none()), now);
                if advance.exec(tx).await?.rows_affected == 0 {
                    return Ok(false);
                }
                match refused {
                    None => Entity::delete_many().filter(letter).exec(tx).await?.rows_affected,
                    Some(reason) => {
                        let update = Entity::update_many()
                            .col_expr(Column::Replaying, Expr::val(false))
                            .col_expr(Column::Reason, Expr::val(reason))
                            .col_expr(Column::DiedAt, Expr::val(i64::from(now)));
                        update.filter(letter).exec(tx).await?.rows_affected
                    }
                };
                Ok(true)
            })
            .await
    }
}
