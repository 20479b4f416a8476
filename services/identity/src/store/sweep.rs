//! Deletes expired rows.

use std::time::Duration;

use sahm_chassis::error::Result;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::{
    IdentityStore,
    entities::{auth_code, budget, feedback, session},
    feedback::delete_feedback,
};

/// Feedback deleted in one transaction, with up to 15 MB of files each. It bounds how long other writers wait.
const FEEDBACK_BATCH: u64 = 20;

impl IdentityStore {
    /// Deletes expired sessions, codes and budgets, and feedback older than its retention. Returns the number of rows.
    pub async fn sweep(&self, now: u32, feedback_retention: Duration) -> Result<u64> {
        let retention = i64::try_from(feedback_retention.as_secs()).unwrap_or(i64::MAX);
        let now = i64::from(now);
        let cutoff = now.saturating_sub(retention);
        let mut deleted = self.store.write(async |tx| sweep_expired(tx, now).await).await?;
        loop {
            let feedback = self.store.write(async |tx| sweep_feedback(tx, cutoff).await).await?;
            deleted += feedback;
            if feedback < FEEDBACK_BATCH {
                return Ok(deleted);
            }
        }
    }
}

async fn sweep_expired(tx: &DatabaseTransaction, now: i64) -> Result<u64> {
    let sessions =
        session::Entity::delete_many().filter(session::Column::ExpiresAt.lte(now)).exec(tx).await?;
    let codes = auth_code::Entity::delete_many()
        .filter(auth_code::Column::ExpiresAt.lte(now))
        .exec(tx)
        .await?;
    let budgets =
        budget::Entity::delete_many().filter(budget::Column::ExpiresAt.lte(now)).exec(tx).await?;
    Ok(sessions.rows_affected + codes.rows_affected + budgets.rows_affected)
}

/// Deletes the oldest feedback that was received at `cutoff` or before, in epoch seconds.
async fn sweep_feedback(tx: &DatabaseTransaction, cutoff: i64) -> Result<u64> {
    let tickets: Vec<String> = feedback::Entity::find()
        .select_only()
        .column(feedback::Column::Ticket)
        .filter(feedback::Column::CreatedAt.lte(cutoff))
        .order_by_asc(feedback::Column::CreatedAt)
        .limit(FEEDBACK_BATCH)
        .into_tuple()
        .all(tx)
        .await?;
    Ok(delete_feedback(tx, &tickets).await?.feedback)
}
