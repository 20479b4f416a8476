//! Dead letters: events that a sink rejected.

use sahm_chassis::error::Result;
use sea_orm::{
    ConnectionTrait, ExprTrait,
    sea_query::{Expr, Order, Query},
};

use super::{EventStore, Lease, to_i64, to_u32};
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
        let query = Query::select()
            .columns(["sequence", "reason", "died_at"])
            .from("dead_letter")
            .and_where(Expr::col("sink").eq(sink))
            .and_where(Expr::col("sequence").gt(to_i64(after)))
            .and_where(Expr::col("replaying").eq(replaying))
            .order_by("sequence", Order::Asc)
            .limit(size)
            .to_owned();
        let rows = self.store.reader().query_all(&query).await?;
        let sequences = rows
            .iter()
            .map(|row| row.try_get_by_index::<i64>(0))
            .collect::<std::result::Result<Vec<_>, _>>()?;
        let mut dead_letters = Vec::new();
        // Events of a sink that is no longer configured may have been removed since, with their
        // dead letters.
        for event in self.events_at(&sequences).await? {
            let at = sequences.binary_search(&to_i64(event.sequence));
            let Some(row) = at.ok().and_then(|at| rows.get(at)) else { continue };
            dead_letters.push(DeadLetterRow {
                event,
                reason: row.try_get_by_index(1)?,
                died_at: to_u32(row.try_get_by_index(2)?),
            });
        }
        Ok(dead_letters)
    }

    /// Queues dead letters for a replay: those with these sequences, or all. Returns their number,
    /// or `None` for an unknown sink.
    pub async fn replay(&self, sink: &str, sequences: &[u64]) -> Result<Option<u64>> {
        let known = Query::select()
            .expr(Expr::col("name"))
            .from("sink")
            .and_where(Expr::col("name").eq(sink))
            .to_owned();
        let mut update = Query::update()
            .table("dead_letter")
            .value("replaying", true)
            .and_where(Expr::col("sink").eq(sink))
            .and_where(Expr::col("replaying").eq(false))
            .to_owned();
        if !sequences.is_empty() {
            update.and_where(Expr::col("sequence").is_in(sequences.iter().map(|s| to_i64(*s))));
        }
        self.store
            .write(async |tx| {
                if tx.query_one(&known).await?.is_none() {
                    return Ok(None);
                }
                Ok(Some(tx.execute(&update).await?.rows_affected()))
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
        self.store
            .write(async |tx| {
                let mut advance = Query::update();
                if refused.is_none() {
                    advance
                        .value("delivered", Expr::col("delivered").add(1))
                        .value("last_delivered_at", i64::from(now));
                }
                let advance = advance
                    .table("sink")
                    .value("failed_attempts", 0)
                    .value("last_error", "")
                    .and_where(Expr::col("name").eq(lease.sink.as_str()))
                    .and_where(Expr::col("lease_owner").eq(lease.owner.as_str()))
                    .to_owned();
                if tx.execute(&advance).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                match refused {
                    None => {
                        let delete = Query::delete()
                            .from_table("dead_letter")
                            .and_where(Expr::col("sink").eq(lease.sink.as_str()))
                            .and_where(Expr::col("sequence").eq(to_i64(sequence)))
                            .to_owned();
                        tx.execute(&delete).await?;
                    }
                    Some(reason) => {
                        let update = Query::update()
                            .table("dead_letter")
                            .value("replaying", false)
                            .value("reason", reason)
                            .value("died_at", i64::from(now))
                            .and_where(Expr::col("sink").eq(lease.sink.as_str()))
                            .and_where(Expr::col("sequence").eq(to_i64(sequence)))
                            .to_owned();
                        tx.execute(&update).await?;
                    }
                }
                Ok(true)
            })
            .await
    }
}
