//! Members' rights: exports and anonymises the events of a member.

use sahm_chassis::{error::Result, member_data::MemberRecords};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, ExprTrait, QueryFilter, QuerySelect,
    QueryTrait, sea_query::Expr,
};
use serde_json::json;

use super::{
    EventStore,
    entities::{dead_letter, event},
    events::is_members,
};

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
        self.store.write(async |tx| anonymise(tx, is_members(member)).await).await
    }
}

/// Removes member, device and value from events, and the sinks' responses, which may repeat them,
/// from their dead letters. Returns the number of events that were not yet anonymous.
pub(super) async fn anonymise(tx: &DatabaseTransaction, which: Expr) -> Result<u64> {
    use event::Column::{DeviceNo, EventValue, MemberId, Sequence};
    let is_personal = MemberId.gt(0).or(DeviceNo.ne("")).or(EventValue.ne("{}"));
    let which = Condition::all().add(which).add(is_personal);
    let events = event::Entity::find().select_only().column(Sequence).filter(which.clone());
    dead_letter::Entity::update_many()
        .col_expr(dead_letter::Column::Reason, Expr::val(""))
        .filter(dead_letter::Column::Sequence.in_subquery(events.into_query()))
        .exec(tx)
        .await?;
    let update = event::Entity::update_many()
        .col_expr(MemberId, Expr::val(0_i64))
        .col_expr(DeviceNo, Expr::val(""))
        .col_expr(EventValue, Expr::val("{}"))
        .filter(which);
    Ok(update.exec(tx).await?.rows_affected)
}
