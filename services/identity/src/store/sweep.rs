//! What has run out is forgotten.

use sahm_chassis::error::Result;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::{
    IdentityStore,
    entities::{auth_code, budget, session},
};

impl IdentityStore {
    /// Deletes sessions, codes and tallies that have run out, and says how many.
    pub async fn sweep(&self, now: u32) -> Result<u64> {
        let now = i64::from(now);
        self.store
            .write(async |tx| {
                let sessions = session::Entity::delete_many()
                    .filter(session::Column::ExpiresAt.lte(now))
                    .exec(tx)
                    .await?;
                let codes = auth_code::Entity::delete_many()
                    .filter(auth_code::Column::ExpiresAt.lte(now))
                    .exec(tx)
                    .await?;
                let budgets = budget::Entity::delete_many()
                    .filter(budget::Column::ExpiresAt.lte(now))
                    .exec(tx)
                    .await?;
                Ok(sessions.rows_affected + codes.rows_affected + budgets.rows_affected)
            })
            .await
    }
}
