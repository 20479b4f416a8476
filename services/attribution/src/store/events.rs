//! Queries for events.

use sahm_chassis::error::Result;
use sea_orm::{
    ConnectionTrait, DbErr, ExprTrait, QueryResult,
    sea_query::{Expr, Order, Query, SelectStatement},
};

use super::{EventStore, to_i64, to_u32, to_u64};
use crate::domain::{Event, NewEvent};

impl EventStore {
    /// Events with sequences below `before`, newest first; an empty name and member 0 match all.
    pub async fn events(
        &self,
        name: &str,
        member_id: u64,
        before: u64,
        size: u64,
    ) -> Result<Vec<Event>> {
        let mut query = select();
        query.and_where(Expr::col("sequence").lt(to_i64(before)));
        if !name.is_empty() {
            query.and_where(Expr::col("event_name").eq(name));
        }
        if member_id > 0 {
            // The partial index covers members only; the condition makes the planner use it.
            query.and_where(Expr::col("member_id").gt(0));
            query.and_where(Expr::col("member_id").eq(to_i64(member_id)));
        }
        query.order_by("sequence", Order::Desc).limit(size);
        self.read(&query).await
    }

    /// The newest event of each id, in the requested order.
    pub async fn events_by_id(&self, ids: &[String]) -> Result<Vec<Event>> {
        let mut query = select();
        query
            .and_where(Expr::col("event_id").is_in(ids.iter().map(String::as_str)))
            .order_by("sequence", Order::Desc);
        let mut found = self.read(&query).await?;
        // The sort is stable, so that the newest event of an id stays first.
        let place = |event: &Event| ids.iter().position(|id| *id == event.event.event_id);
        found.sort_by_key(place);
        found.dedup_by(|later, first| later.event.event_id == first.event.event_id);
        Ok(found)
    }

    /// Events after a sequence, oldest first.
    pub async fn events_after(&self, after: u64, size: u64) -> Result<Vec<Event>> {
        let mut query = select();
        query
            .and_where(Expr::col("sequence").gt(to_i64(after)))
            .order_by("sequence", Order::Asc)
            .limit(size);
        self.read(&query).await
    }

    /// Events with these sequences, oldest first.
    pub(super) async fn events_at(&self, sequences: &[i64]) -> Result<Vec<Event>> {
        let mut query = select();
        query
            .and_where(Expr::col("sequence").is_in(sequences.iter().copied()))
            .order_by("sequence", Order::Asc);
        self.read(&query).await
    }

    async fn read(&self, query: &SelectStatement) -> Result<Vec<Event>> {
        let rows = self.store.reader().query_all(query).await?;
        Ok(rows.iter().map(event).collect::<Result<Vec<_>, DbErr>>()?)
    }
}

fn select() -> SelectStatement {
    Query::select()
        .columns([
            "sequence",
            "event_id",
            "event_name",
            "event_value",
            "member_id",
            "sell_client",
            "device_no",
            "campaign",
            "channel",
            "received_at",
        ])
        .from("event")
        .to_owned()
}

fn event(row: &QueryResult) -> Result<Event, DbErr> {
    Ok(Event {
        sequence: to_u64(row.try_get_by_index(0)?),
        event: NewEvent {
            event_id: row.try_get_by_index(1)?,
            name: row.try_get_by_index(2)?,
            value: row.try_get_by_index(3)?,
            member_id: to_u64(row.try_get_by_index(4)?),
            sell_client: to_u32(i64::from(row.try_get_by_index::<i32>(5)?)),
            device_no: row.try_get_by_index(6)?,
            campaign: row.try_get_by_index(7)?,
            channel: row.try_get_by_index(8)?,
            received_at: to_u64(row.try_get_by_index(9)?),
        },
    })
}
