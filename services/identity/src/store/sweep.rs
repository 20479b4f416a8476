//! Deletes expired rows.

use std::time::Duration;

use sahm_chassis::error::Result;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, ExprTrait, Iterable, PrimaryKeyToColumn,
    QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, LockBehavior, LockType, Query},
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
        delete_unlocked(tx, session::Entity, session::Column::ExpiresAt.lte(now)).await?;
    let codes =
        delete_unlocked(tx, auth_code::Entity, auth_code::Column::ExpiresAt.lte(now)).await?;
    let budgets = delete_unlocked(tx, budget::Entity, budget::Column::ExpiresAt.lte(now)).await?;
    Ok(sessions + codes + budgets)
}

/// Deletes rows, except those that another transaction has locked: waiting for several rows of a
/// transaction that waits for this one would be a deadlock. The next sweep deletes them.
async fn delete_unlocked<E: EntityTrait>(
    tx: &DatabaseTransaction,
    table: E,
    is_expired: Expr,
) -> Result<u64> {
    let key = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column);
    let key = key.collect::<Vec<_>>();
    let unlocked = Query::select()
        .columns(key.iter().copied())
        .from(table)
        .and_where(is_expired)
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .to_owned();
    let key = Expr::tuple(key.into_iter().map(Expr::col));
    let deleted = E::delete_many().filter(key.in_subquery(unlocked)).exec(tx).await?;
    Ok(deleted.rows_affected)
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
