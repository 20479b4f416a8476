//! Members' rights: exports and anonymises the events of a member.

use sahm_chassis::{error::Result, member_data::MemberRecords};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, ExprTrait,
    sea_query::{Expr, Query},
};
use serde_json::json;

use super::{EventStore, to_i64};

/// Number of events that an export reads at once, of up to 8 KiB each.
const PAGE_SIZE: u64 = 100;

impl EventStore {
    /// Sends every event of a member, newest first.
    ///
    /// # Errors
    /// The store is unavailable, or the caller has disconnected.
    pub async fn export_member(&self, member: u64, records: MemberRecords) -> Result<()> {
        let mut before = u64::MAX;
        loop {
            let page = self.events("", member, before, PAGE_SIZE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            before = last.sequence;
            for event in page {
                let event = event.event;
                let record = json!({
                    "eventId": event.event_id,
                    "eventName": event.name,
                    "eventValue": event.value,
                    "sellClient": event.sell_client,
                    "deviceNo": event.device_no,
                    "campaign": event.campaign,
                    "channel": event.channel,
                    "receivedAtMillis": event.received_at,
                });
                records.send("event", record).await?;
            }
        }
    }

    /// Removes member, device and value from the events of a member, and returns their number. The
    /// rows stay, because a sink's backlog is a difference of sequences and ids detect duplicates.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn anonymise_member(&self, member: u64) -> Result<u64> {
        let is_members =
            Expr::col("member_id").gt(0).and(Expr::col("member_id").eq(to_i64(member)));
        self.store.write(async |tx| anonymise(tx, is_members).await).await
    }
}

/// Removes member, device and value from events, and the sinks' responses, which may repeat them,
/// from their dead letters. Returns the number of events that were not yet anonymous.
pub(super) async fn anonymise(tx: &DatabaseTransaction, which: Expr) -> Result<u64> {
    let is_personal = Expr::col("member_id")
        .gt(0)
        .or(Expr::col("device_no").ne(""))
        .or(Expr::col("event_value").ne("{}"));
    let events = Query::select()
        .column("sequence")
        .from("event")
        .and_where(which.clone())
        .and_where(is_personal.clone())
        .to_owned();
    let dead_letters = Query::update()
        .table("dead_letter")
        .value("reason", "")
        .and_where(Expr::col("sequence").in_subquery(events))
        .to_owned();
    tx.execute(&dead_letters).await?;
    let update = Query::update()
        .table("event")
        .values([
            ("member_id", Expr::val(0_i64)),
            ("device_no", Expr::val("")),
            ("event_value", Expr::val("{}")),
        ])
        .and_where(which)
        .and_where(is_personal)
        .to_owned();
    Ok(tx.execute(&update).await?.rows_affected())
}
