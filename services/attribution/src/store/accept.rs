//! Events in: many reports, one transaction.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use sahm_chassis::error::{Error, Result};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, ExprTrait,
    sea_query::{Expr, InsertStatement, OnConflict, Query},
};

use super::{EventStore, to_i64, to_u64};
use crate::domain::{COUNTS_ONCE_SECONDS, NewEvent};

/// Rows of one statement. Sizes are powers of two, so that few different statements are prepared.
const ROWS: usize = 256;

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is the event with this sequence.
    Counted(u64),
    /// Its id was accepted within 48 hours before.
    Repeated,
    /// The store is away: it waits on the disk beside it, and is judged when the store answers.
    Spooled,
}

impl EventStore {
    /// Takes events in, at `now` (epoch seconds): all of them, or none. When this returns they
    /// are on the disk.
    pub async fn accept(&self, events: &[NewEvent], now: u32) -> Result<Vec<Outcome>> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        self.store.write(async |tx| accept_in(tx, events, now).await).await
    }

    /// The newest event's sequence; 0: there is none.
    pub async fn last_sequence(&self) -> Result<u64> {
        let query = Query::select().column("last_sequence").from("attribution_log").to_owned();
        let row = self.store.reader().query_one(&query).await?;
        Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.map_or(0, to_u64))
    }

    /// Forgets event ids that were seen more than 48 hours before `now` (epoch seconds).
    pub async fn forget_old_ids(&self, now: u32) -> Result<u64> {
        let old = Query::delete()
            .from_table("event_key")
            .and_where(Expr::col("seen_at").lte(outdated(now)))
            .to_owned();
        self.store.write(async |tx| Ok(tx.execute(&old).await?.rows_affected())).await
    }
}

/// Ids seen at this time or before count again.
fn outdated(now: u32) -> i64 {
    i64::from(now) - to_i64(COUNTS_ONCE_SECONDS)
}

async fn accept_in(
    tx: &DatabaseTransaction,
    events: &[NewEvent],
    now: u32,
) -> Result<Vec<Outcome>> {
    let mut new = new_ids(tx, events, now).await?;
    let count = to_i64(u64::try_from(new.len()).unwrap_or(u64::MAX));
    let last = if count > 0 { number(tx, count).await? } else { 0 };

    let mut sequence = to_u64(last - count);
    let mut outcomes = Vec::with_capacity(events.len());
    let mut counted = Vec::with_capacity(new.len());
    for event in events {
        // Of several reports of one id in the batch the first counts.
        outcomes.push(if new.remove(event.event_id.as_str()) {
            sequence += 1;
            counted.push((sequence, event));
            Outcome::Counted(sequence)
        } else {
            Outcome::Repeated
        });
    }
    write_events(tx, &counted).await?;
    add_counts(tx, &counted).await?;
    Ok(outcomes)
}

/// The ids of the batch that count now. In the order of the ids, so that two replicas wait for
/// each other and never in a circle.
async fn new_ids<'a>(
    tx: &DatabaseTransaction,
    events: &'a [NewEvent],
    now: u32,
) -> Result<HashSet<&'a str>> {
    let ids = events.iter().map(|event| event.event_id.as_str()).collect::<BTreeSet<_>>();
    let ids = ids.into_iter().collect::<Vec<_>>();
    let unless_seen = OnConflict::column("event_id")
        .update_column("seen_at")
        .action_and_where(Expr::col(("event_key", "seen_at")).lte(outdated(now)))
        .to_owned();
    let mut new = HashSet::with_capacity(ids.len());
    for chunk in chunks(&ids) {
        let mut insert = Query::insert();
        insert.into_table("event_key").columns(["event_id", "seen_at"]);
        for id in chunk {
            insert.values_panic([Expr::val(*id), Expr::val(i64::from(now))]);
        }
        insert.on_conflict(unless_seen.clone()).returning_col("event_id");
        for row in tx.query_all(&insert).await? {
            let id: String = row.try_get_by_index(0)?;
            if let Ok(at) = ids.binary_search(&id.as_str()) {
                new.insert(ids[at]);
            }
        }
    }
    Ok(new)
}

/// Takes `count` numbers and gives the last. From here to the commit no other replica numbers.
async fn number(tx: &DatabaseTransaction, count: i64) -> Result<i64> {
    let update = Query::update()
        .table("attribution_log")
        .value("last_sequence", Expr::col("last_sequence").add(count))
        .and_where(Expr::col("id").eq(1))
        .returning_col("last_sequence")
        .to_owned();
    let row = tx.query_one(&update).await?;
    let row = row.ok_or_else(|| Error::internal(anyhow::anyhow!("the event log has no row")))?;
    Ok(row.try_get_by_index(0)?)
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
            insert.values_panic([
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
            ]);
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
            insert.values_panic([
                Expr::val(day.as_str()),
                Expr::val(*name),
                Expr::val(*campaign),
                Expr::val(*channel),
                Expr::val(to_i32(*sell_client)),
                Expr::val(*events),
            ]);
        }
        insert.on_conflict(add.clone());
        tx.execute(&insert).await?;
    }
    Ok(())
}

fn to_i32(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Pieces of at most [`ROWS`] rows, each a power of two long.
fn chunks<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        if rows.is_empty() {
            return None;
        }
        let size = if rows.len() >= ROWS { ROWS } else { 1 << rows.len().ilog2() };
        let (chunk, rest) = rows.split_at(size);
        rows = rest;
        Some(chunk)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_powers_of_two() {
        for (rows, sizes) in
            [(0, &[][..]), (1, &[1]), (7, &[4, 2, 1]), (256, &[256]), (600, &[256, 256, 64, 16, 8])]
        {
            let rows = vec![0_u8; rows];
            assert_eq!(chunks(&rows).map(<[u8]>::len).collect::<Vec<_>>(), sizes);
        }
    }
}
