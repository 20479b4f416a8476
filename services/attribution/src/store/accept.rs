//! Accepts events: many reports in one transaction.

use std::{
    borrow::Borrow,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use sahm_chassis::error::{Error, Result};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, ExprTrait,
    sea_query::{Expr, InsertStatement, OnConflict, Query, SelectStatement},
};

use super::{EventStore, to_i64, to_u64};
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
        Ok(to_u64(last_sequence(self.store.reader(), log()).await?))
    }
}

async fn accept_in(tx: &DatabaseTransaction, events: &[&NewEvent]) -> Result<Vec<Outcome>> {
    // From here to the commit no other replica checks duplicates or assigns sequences.
    let last = to_u64(last_sequence(tx, log().lock_exclusive().to_owned()).await?);

    let mut last_received = last_received(tx, events).await?;
    let mut sequence = last;
    let mut outcomes = Vec::with_capacity(events.len());
    let mut counted = Vec::with_capacity(events.len());
    for &event in events {
        let before = last_received.get(event.event_id.as_str()).copied();
        outcomes.push(if counts(before, event.received_at) {
            last_received.insert(event.event_id.as_str(), event.received_at);
            sequence += 1;
            counted.push((sequence, event));
            Outcome::Counted(sequence)
        } else {
            Outcome::Repeated
        });
    }
    if sequence > last {
        let numbered = Query::update()
            .table("attribution_log")
            .value("last_sequence", to_i64(sequence))
            .and_where(Expr::col("id").eq(1))
            .to_owned();
        tx.execute(&numbered).await?;
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

/// Selects the newest event's sequence; 0 if there is none.
pub(super) fn log() -> SelectStatement {
    Query::select().column("last_sequence").from("attribution_log").to_owned()
}

/// The result of a query of [`log`].
pub(super) async fn last_sequence(db: &impl ConnectionTrait, log: SelectStatement) -> Result<i64> {
    let row = db.query_one(&log).await?;
    let row = row.ok_or_else(|| Error::internal("the event log has no row"))?;
    Ok(row.try_get_by_index(0)?)
}

/// When each known id of the batch was last received, in epoch milliseconds.
async fn last_received<'a>(
    tx: &DatabaseTransaction,
    events: &[&'a NewEvent],
) -> Result<HashMap<&'a str, u64>> {
    let ids = events.iter().map(|event| event.event_id.as_str()).collect::<BTreeSet<_>>();
    let ids = ids.into_iter().collect::<Vec<_>>();
    let mut received = HashMap::with_capacity(ids.len());
    for chunk in chunks(&ids) {
        let query = Query::select()
            .column("event_id")
            .expr(Expr::col("received_at").max())
            .from("event")
            .and_where(Expr::col("event_id").is_in(chunk.iter().copied()))
            .add_group_by([Expr::col("event_id")])
            .to_owned();
        for row in tx.query_all(&query).await? {
            let id: String = row.try_get_by_index(0)?;
            if let Ok(at) = ids.binary_search(&id.as_str()) {
                received.insert(ids[at], to_u64(row.try_get_by_index(1)?));
            }
        }
    }
    Ok(received)
}

async fn write_events(tx: &DatabaseTransaction, counted: &[(u64, &NewEvent)]) -> Result<()> {
    for chunk in chunks(counted) {
        let mut insert = Query::insert();
        insert.into_table("event").columns([
            "sequence",
            "event_id",
            "event_name",
            "event_value",
            "member_id",
            "sell_client",
            "device_no",
            "campaign",
            "channel",
            "day",
            "received_at",
        ]);
        for (sequence, event) in chunk {
            insert
                .values([
                    Expr::val(to_i64(*sequence)),
                    Expr::val(event.event_id.as_str()),
                    Expr::val(event.name.as_str()),
                    Expr::val(event.value.as_str()),
                    Expr::val(to_i64(event.member_id)),
                    Expr::val(to_i32(event.sell_client)),
                    Expr::val(event.device_no.as_str()),
                    Expr::val(event.campaign.as_str()),
                    Expr::val(event.channel.as_str()),
                    Expr::val(event.day()),
                    Expr::val(to_i64(event.received_at)),
                ])
                .map_err(Error::internal)?;
        }
        tx.execute(&insert).await?;
    }
    Ok(())
}

async fn add_counts(tx: &DatabaseTransaction, counted: &[(u64, &NewEvent)]) -> Result<()> {
    let mut rows = BTreeMap::new();
    for (_, event) in counted {
        let key = (
            event.day(),
            event.name.as_str(),
            event.campaign.as_str(),
            event.channel.as_str(),
            event.sell_client,
        );
        *rows.entry(key).or_insert(0_i64) += 1;
    }
    let rows = rows.into_iter().collect::<Vec<_>>();
    let add = OnConflict::columns(["day", "event_name", "campaign", "channel", "sell_client"])
        .value(
            "events",
            Expr::col(("event_count", "events")).add(Expr::col(("excluded", "events"))),
        )
        .to_owned();
    for chunk in chunks(&rows) {
        let mut insert: InsertStatement = Query::insert();
        insert.into_table("event_count").columns([
            "day",
            "event_name",
            "campaign",
            "channel",
            "sell_client",
            "events",
        ]);
        for ((day, name, campaign, channel, sell_client), events) in chunk {
            insert
                .values([
                    Expr::val(day.as_str()),
                    Expr::val(*name),
                    Expr::val(*campaign),
                    Expr::val(*channel),
                    Expr::val(to_i32(*sell_client)),
                    Expr::val(*events),
                ])
                .map_err(Error::internal)?;
        }
        insert.on_conflict(add.clone());
        tx.execute(&insert).await?;
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
