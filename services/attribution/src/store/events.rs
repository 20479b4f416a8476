//! Queries for events.

use sahm_chassis::error::Result;
use sea_orm::{
    ColumnTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::Expr,
};

use super::{
    EventStore,
    entities::event::{self, Column, Entity},
    to_i64, to_u32, to_u64,
};
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
        let mut query = Entity::find().filter(Column::Sequence.lt(to_i64(before)));
        if !name.is_empty() {
            query = query.filter(Column::EventName.eq(name));
        }
        if member_id > 0 {
            query = query.filter(is_members(member_id));
        }
        self.read(query.order_by_desc(Column::Sequence).limit(size)).await
    }

    /// The newest event of each id, in the requested order.
    pub async fn events_by_id(&self, ids: &[String]) -> Result<Vec<Event>> {
        let query = Entity::find().filter(Column::EventId.is_in(ids.iter().map(String::as_str)));
        let mut found = self.read(query.order_by_desc(Column::Sequence)).await?;
        // The sort is stable, so that the newest event of an id stays first.
        let place = |event: &Event| ids.iter().position(|id| *id == event.event.event_id);
        found.sort_by_key(place);
        found.dedup_by(|later, first| later.event.event_id == first.event.event_id);
        Ok(found)
    }

    /// Events after a sequence, oldest first.
    pub async fn events_after(&self, after: u64, size: u64) -> Result<Vec<Event>> {
        let query = Entity::find().filter(Column::Sequence.gt(to_i64(after)));
        self.read(query.order_by_asc(Column::Sequence).limit(size)).await
    }

    pub(super) async fn read(&self, query: Select<Entity>) -> Result<Vec<Event>> {
        let rows = query.all(self.store.reader()).await?;
        Ok(rows.into_iter().map(Event::from).collect())
    }
}

/// The events of a member. The partial index covers members only; the first condition makes the
/// planner use it.
pub(super) fn is_members(member: u64) -> Expr {
    Column::MemberId.gt(0).and(Column::MemberId.eq(to_i64(member)))
}

impl From<event::Model> for Event {
    fn from(row: event::Model) -> Self {
        Self {
            sequence: to_u64(row.sequence),
            event: NewEvent {
                event_id: row.event_id,
                name: row.event_name,
                value: row.event_value,
                member_id: to_u64(row.member_id),
                sell_client: to_u32(row.sell_client.into()),
                device_no: row.device_no,
                campaign: row.campaign,
                channel: row.channel,
                received_at: to_u64(row.received_at),
            },
        }
    }
}
