//! Members' rights: what is stored about a member, exported and erased.

use sahm_chassis::{
    error::Result,
    member_data::{Erasure, MemberDataStore, MemberRecords},
    store::delete,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, sea_query::Expr};
use serde_json::json;

use super::{
    ActivityStore,
    entities::{
        deposit, draw_deposit, invite_code, member_country, participant, short_chain, ticket,
    },
    key,
};

#[tonic::async_trait]
impl MemberDataStore for ActivityStore {
    async fn export_member(&self, member: u64, records: MemberRecords) -> Result<()> {
        let (member, db) = (key(member)?, self.store.reader());
        if let Some(row) = invite_code::Entity::find_by_id(member).one(db).await? {
            records.send("invite_code", json!({ "code": row.code })).await?;
        }
        if let Some(row) = member_country::Entity::find_by_id(member).one(db).await? {
            records.send("member_country", json!({ "countryCode": row.country_code })).await?;
        }
        let links = short_chain::Entity::find()
            .filter(short_chain::Column::MemberId.eq(member))
            .order_by_asc(short_chain::Column::Id);
        for row in links.all(db).await? {
            let short_chain::Model { id, activity_id, channel, created_at, .. } = row;
            let record = json!({
                "id": id, "activityId": activity_id, "channel": channel, "createdAt": created_at,
            });
            records.send("short_chain", record).await?;
        }
        let participants = participant::Entity::find()
            .filter(participant::Column::MemberId.eq(member))
            .order_by_asc(participant::Column::Id);
        for row in participants.all(db).await? {
            let record = json!({
                "id": row.id,
                "activityId": row.activity_id,
                "wasInvited": row.inviter_id.is_some(),
                "joinedAt": row.joined_at,
            });
            records.send("participant", record).await?;
        }
        let deposits = deposit::Entity::find()
            .filter(deposit::Column::MemberId.eq(member))
            .order_by_asc(deposit::Column::Number);
        for row in deposits.all(db).await? {
            let record = json!({
                "id": row.id,
                "amountHundredths": row.amount,
                "currency": row.currency,
                "depositedAt": row.deposited_at,
            });
            records.send("deposit", record).await?;
        }
        let draw_deposits = draw_deposit::Entity::find()
            .filter(draw_deposit::Column::MemberId.eq(member))
            .order_by_asc(draw_deposit::Column::DrawId);
        for row in draw_deposits.all(db).await? {
            let record = json!({ "drawId": row.draw_id, "amountHundredths": row.amount });
            records.send("draw_deposit", record).await?;
        }
        let tickets = ticket::Entity::find()
            .filter(ticket::Column::MemberId.eq(member))
            .order_by_asc(ticket::Column::DrawId)
            .order_by_asc(ticket::Column::Number);
        for row in tickets.all(db).await? {
            let ticket::Model { draw_id, number, issued_at, .. } = row;
            let record = json!({ "drawId": draw_id, "number": number, "issuedAt": issued_at });
            records.send("ticket", record).await?;
        }
        Ok(())
    }

    /// Tickets stay: their numbers have no gaps, and the hash of a closed draw covers them.
    async fn erase_member(&self, erasure: &Erasure) -> Result<Vec<(&'static str, u64)>> {
        let member = key(erasure.member)?;
        self.store
            .write(async |tx| {
                // First, because it waits for joins in progress that name this member.
                let codes = invite_code::Entity::delete_by_id(member).exec(tx).await?;
                participant::Entity::update_many()
                    .col_expr(participant::Column::InviterId, Expr::val(None::<i64>))
                    .filter(participant::Column::InviterId.eq(member))
                    .exec(tx)
                    .await?;
                let countries = member_country::Entity::delete_by_id(member).exec(tx).await?;
                let links =
                    delete::<short_chain::Entity>(tx, short_chain::Column::MemberId.eq(member))
                        .await?;
                let participants =
                    delete::<participant::Entity>(tx, participant::Column::MemberId.eq(member))
                        .await?;
                let deposits =
                    delete::<deposit::Entity>(tx, deposit::Column::MemberId.eq(member)).await?;
                let draw_deposits =
                    delete::<draw_deposit::Entity>(tx, draw_deposit::Column::MemberId.eq(member))
                        .await?;
                Ok(vec![
                    ("invite_code", codes.rows_affected),
                    ("member_country", countries.rows_affected),
                    ("short_chain", links),
                    ("participant", participants),
                    ("deposit", deposits),
                    ("draw_deposit", draw_deposits),
                ])
            })
            .await
    }
}
