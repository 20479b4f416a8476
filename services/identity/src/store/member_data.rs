//! Members' rights: exports and erases the data stored about a member.

use base64::{Engine, prelude::BASE64_STANDARD};
use sahm_chassis::{
    clock::Clock,
    error::Result,
    member_data::{Erasure, MemberDataStore, MemberRecords},
    store::delete,
};
use sea_orm::{ColumnTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use serde_json::json;

use super::{
    IdentityStore,
    entities::{auth_code, budget, feedback, feedback_file, member, member_erasure, session},
    feedback::delete_feedback,
    key,
    sessions::end_all,
};

/// Members' data in this store; the clock dates the audit record.
pub struct IdentityMemberData {
    pub store: IdentityStore,
    pub clock: Clock,
}

#[tonic::async_trait]
impl MemberDataStore for IdentityMemberData {
    async fn export_member(&self, member: u64, records: MemberRecords) -> Result<()> {
        let Some(member) = key(member) else { return Ok(()) };
        let db = self.store.store.reader();
        if let Some(row) = member::Entity::find_by_id(member).one(db).await? {
            let record = json!({
                "id": row.id,
                "telCode": row.tel_code,
                "phone": row.phone,
                "email": row.email,
                "hasPassword": row.password_hash.is_some(),
                "status": row.status,
                "opened": row.opened,
                "openedSaudi": row.opened_saudi,
                "hsNo": row.hs_no,
                "isObtainSns": row.is_obtain_sns,
                "inviteCode": row.invite_code,
                "createdAt": row.created_at,
            });
            records.send("member", record).await?;
        }
        let sessions = session::Entity::find()
            .filter(session::Column::MemberId.eq(member))
            .order_by_asc(session::Column::CreatedAt)
            .order_by_asc(session::Column::Id)
            .all(db)
            .await?;
        for row in sessions {
            let record = json!({ "createdAt": row.created_at, "expiresAt": row.expires_at });
            records.send("session", record).await?;
        }
        let mut after = 0;
        loop {
            // One at a time, because each has up to 15 MB of files.
            let next = feedback::Entity::find()
                .filter(feedback::Column::MemberId.eq(member))
                .filter(feedback::Column::Number.gt(after))
                .order_by_asc(feedback::Column::Number);
            let Some(row) = next.one(db).await? else { return Ok(()) };
            after = row.number;
            let files = feedback_file::Entity::find()
                .filter(feedback_file::Column::Ticket.eq(row.ticket.as_str()))
                .order_by_asc(feedback_file::Column::Position)
                .all(db)
                .await?;
            let record = json!({
                "ticket": row.ticket,
                "subject": row.subject,
                "content": row.content,
                "contact": row.contact,
                "createdAt": row.created_at,
            });
            records.send("feedback", record).await?;
            for file in files {
                let record = json!({
                    "ticket": file.ticket,
                    "name": file.name,
                    "contentType": file.content_type,
                    "content": BASE64_STANDARD.encode(file.body),
                });
                records.send("feedback_file", record).await?;
            }
        }
    }

    async fn erase_member(&self, erasure: &Erasure) -> Result<Vec<(&'static str, u64)>> {
        let Some(member_id) = key(erasure.member) else { return Ok(Vec::new()) };
        let now = self.clock.now();
        self.store
            .store
            .write(async |tx| {
                let member = member::Entity::find_by_id(member_id).lock_exclusive().one(tx).await?;
                let sessions = end_all(tx, member_id, None).await?;
                let tickets: Vec<String> = feedback::Entity::find()
                    .select_only()
                    .column(feedback::Column::Ticket)
                    .filter(feedback::Column::MemberId.eq(member_id))
                    .into_tuple()
                    .all(tx)
                    .await?;
                let deleted = delete_feedback(tx, &tickets).await?;
                let (mut codes, mut budgets, mut members) = (0, 0, 0);
                if let Some(row) = member {
                    // The keys of rate-limit budgets contain the number. They are locked in the
                    // order of `budgets::consume`, and before the codes as in `put_code`.
                    let number = format!("+{}{}", row.tel_code, row.phone);
                    let keys: Vec<String> = budget::Entity::find()
                        .select_only()
                        .column(budget::Column::Key)
                        .filter(budget::Column::Key.contains(&number))
                        .order_by_asc(budget::Column::Key)
                        .lock_exclusive()
                        .into_tuple()
                        .all(tx)
                        .await?;
                    budgets = delete::<budget::Entity>(tx, budget::Column::Key.is_in(keys)).await?;
                    let of_number = auth_code::Column::TelCode
                        .eq(row.tel_code)
                        .and(auth_code::Column::Phone.eq(row.phone));
                    codes = delete::<auth_code::Entity>(tx, of_number).await?;
                    members = member::Entity::delete_by_id(member_id).exec(tx).await?.rows_affected;
                }
                let audit = member_erasure::ActiveModel {
                    member_id: Set(member_id),
                    reason: Set(erasure.reason.clone()),
                    caller: Set(erasure.caller.clone()),
                    erased_at: Set(now.into()),
                    operator: Set(erasure.operator.clone()),
                    ..Default::default()
                };
                member_erasure::Entity::insert(audit).exec_without_returning(tx).await?;
                Ok(vec![
                    ("member", members),
                    ("session", sessions),
                    ("auth_code", codes),
                    ("budget", budgets),
                    ("feedback", deleted.feedback),
                    ("feedback_file", deleted.files),
                ])
            })
            .await
    }
}
