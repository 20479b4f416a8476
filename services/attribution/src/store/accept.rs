//! Accepts events: many reports in one transaction.

use std::{
    borrow::Borrow,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use sahm_chassis::error::{Error, Result};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, ExprTrait, QueryFilter,
    QuerySelect, Select, Set,
    sea_query::{Expr, OnConflict},
};

use super::{
    EventStore,
    entities::{event, event_count, log},
    to_i64, to_u64,
};
use crate::domain::{COUNTS_ONCE_SECONDS, NewEvent};

/// Maximum rows of one statement. Sizes are powers of two, so that few different statements are
/// prepared.
const MAX_ROWS: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Counted as the event with this sequence.
    Counted(u64),
    /// Its id was counted within the last 48 hours.
    Repeated,
    /// The store is unavailable; the event is spooled, and counted when the store recovers.
    Spooled,
}

impl EventStore {
    /// Accepts events, all or none. When this returns they are on disk. Duplicates are determined
    /// by the time of receipt, so that spooling does not change whether an event counts.
    pub async fn accept<E: Borrow<NewEvent>>(&self, events: &[E]) -> Result<Vec<Outcome>> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let events = &events.iter().map(Borrow::borrow).collect::<Vec<_>>();
        self.store.write(async |tx| accept_in(tx, events).await).await
    }

    /// The newest event's sequence; 0 if there is none.
    pub async fn last_sequence(&self) -> Result<u64> {
        Ok(to_u64(last_sequence(self.store.reader(), log::Entity::find()).await?))
    }
}

async fn accept_in(tx: &DatabaseTransaction, events: &[&NewEvent]) -> Result<Vec<Outcome>> {
    // From here to the commit no other replica checks duplicates or assigns sequences.
    let last = to_u64(last_sequence(tx, log::Entity::find().lock_exclusive()).await?);

    let mut last_received = last_received(tx, events).await?;
    let mut sequence = last;
    let mut outcomes = Vec::with_capacity(events.len());
    let mut counted = Vec::with_capacity(events.len());
    for &event in events {
        let before = last_received.get(&event.event_id).copied();
        outcomes.push(if counts(before, event.received_at) {
            last_received.insert(event.event_id.clone(), event.received_at);
            sequence += 1;
            counted.push((sequence, event));
            Outcome::Counted(sequence)
        } else {
            Outcome::Repeated
        });
    }
    if sequence > last {
        let numbered = Expr::val(to_i64(sequence));
        log::Entity::update_many().col_expr(log::Column::LastSequence, numbered).exec(tx).await?;
        write_events(tx, &counted).await?;
        add_counts(tx, &counted).await?;
    }
    Ok(outcomes)
}

/// Whether a report received at `at` counts if its id was last counted at `before` (epoch
/// milliseconds).
fn counts(before: Option<u64>, at: u64) -> bool {
    before.is_none_or(|before| before.saturating_add(COUNTS_ONCE_SECONDS * 1000) <= at)
}

/// The newest event's sequence, selected from the log; 0 if there is none.
pub(super) async fn last_sequence(
    db: &impl ConnectionTrait,
    log: Select<log::Entity>,
) -> Result<i64> {
    let row = log.one(db).await?;
    Ok(row.ok_or_else(|| Error::internal("the event log has no row"))?.last_sequence)
}

/// When each known id of the batch was last received, in epoch milliseconds.
async fn last_received(
    tx: &DatabaseTransaction,
    events: &[&NewEvent],
) -> Result<HashMap<String, u64>> {
    let ids = events.iter().map(|event| event.event_id.as_str()).collect::<BTreeSet<_>>();
    let ids = ids.into_iter().collect::<Vec<_>>();
    let mut received = HashMap::with_capacity(ids.len());
    for chunk in chunks(&ids) {
        let found: Vec<(String, i64)> = event::Entity::find()
            .select_only()
            .column(event::Column::EventId)
            .expr(event::Column::ReceivedAt.max())
            .filter(event::Column::EventId.is_in(chunk.iter().copied()))
            .group_by(event::Column::EventId)
            .into_tuple()
            .all(tx)
            .await?;
        received.extend(found.into_iter().map(|(id, at)| (id, to_u64(at))));
    }
    Ok(received)
}

async fn write_events(tx: &DatabaseTransaction, counted: &[(u64, &NewEvent)]) -> Result<()> {
    for chunk in chunks(counted) {
        let rows = chunk.iter().map(|(sequence, event)| event::ActiveModel {
            sequence: Set(to_i64(*sequence)),
            event_id: Set(event.event_id.clone()),
            event_name: Set(event.name.clone()),
            event_value: Set(event.value.clone()),
            member_id: Set(to_i64(event.member_id)),
            sell_client: Set(to_i32(event.sell_client)),
            device_no: Set(event.device_no.clone()),
            campaign: Set(event.campaign.clone()),
            channel: Set(event.channel.clone()),
            day: Set(event.day()),
            received_at: Set(to_i64(event.received_at)),
        });
        event::Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    Ok(())
}

async fn add_counts(tx: &DatabaseTransaction, counted: &[(u64, &NewEvent)]) -> Result<()> {
    use event_count::Column::{Campaign, Channel, Day, EventName, Events, SellClient};
    let mut counts = BTreeMap::new();
    for (_, event) in counted {
        let (name, campaign, channel) = (&event.name, &event.campaign, &event.channel);
        *counts.entry((event.day(), name, campaign, channel, event.sell_client)).or_insert(0) += 1;
    }
    let row = |((day, name, campaign, channel, sell_client), events)| event_count::ActiveModel {
        day: Set(day),
        event_name: Set(String::clone(name)),
        campaign: Set(String::clone(campaign)),
        channel: Set(String::clone(channel)),
        sell_client: Set(to_i32(sell_client)),
        events: Set(events),
    };
    let rows = counts.into_iter().map(row).collect::<Vec<_>>();
    let sum = Expr::col((event_count::Entity, Events)).add(Expr::col(("excluded", Events)));
    let add = OnConflict::columns([Day, EventName, Campaign, Channel, SellClient])
        .value(Events, sum)
        .to_owned();
    for chunk in chunks(&rows) {
        let insert = event_count::Entity::insert_many(chunk.to_vec()).on_conflict(add.clone());
        insert.exec_without_returning(tx).await?;
    }
    Ok(())
}

fn to_i32(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Chunks of at most [`MAX_ROWS`] rows; each length is a power of two.
fn chunks<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        if rows.is_empty() {
            return None;
        }
        let size = if rows.len() >= MAX_ROWS { MAX_ROWS } else { 1 << rows.len().ilog2() };
        let (chunk, rest) = rows.split_at(size);
        rows = rest;
        Some(chunk)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_counts_again_after_48_hours() {
        const DAYS: u64 = 48 * 3_600_000;
        for (before, at, expected) in [
            (None, 0, true),
            (Some(5), 5, false),
            (Some(5), DAYS + 4, false),
            (Some(5), DAYS + 5, true),
            // Received before the report that was processed first.
            (Some(DAYS), 5, false),
        ] {
            assert_eq!(counts(before, at), expected, "{before:?} {at}");
        }
    }

    #[test]
    fn chunk_sizes_are_powers_of_two() {
        for (rows, sizes) in
            [(0, &[][..]), (1, &[1]), (7, &[4, 2, 1]), (256, &[256]), (600, &[256, 256, 64, 16, 8])]
        {
            let rows = vec![0_u8; rows];
            assert_eq!(chunks(&rows).map(<[u8]>::len).collect::<Vec<_>>(), sizes);
        }
    }
}
