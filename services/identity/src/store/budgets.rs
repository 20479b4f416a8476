//! Budgets in SQL, so that replicas share them.

use std::time::Duration;

use sahm_chassis::error::{Error, ErrorCode, Result};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, Set,
    sea_query::{Expr, OnConflict},
};

use super::{IdentityStore, entities::budget};
use crate::domain::{Budget, Tally};

impl IdentityStore {
    /// Counts one event against every budget, or against none.
    ///
    /// # Errors
    /// `TooMany` with the time until it fits.
    pub async fn consume(&self, budgets: &[Budget], now: u32) -> Result<()> {
        self.store.write(async |tx| consume(tx, budgets, now).await).await
    }

    /// Whether so much of a budget is used that a proof is required. Counts nothing.
    ///
    /// # Errors
    /// `TooMany` if one more event does not fit.
    pub async fn is_suspect(&self, budgets: &[Budget], now: u32) -> Result<bool> {
        let tallies = self.tallies(budgets).await?;
        check(budgets.iter().zip(&tallies), now)?;
        Ok(suspect(budgets, &tallies, now))
    }

    /// Same as [`IdentityStore::is_suspect`], also if one more event does not fit.
    pub async fn looks_suspect(&self, budgets: &[Budget], now: u32) -> Result<bool> {
        Ok(suspect(budgets, &self.tallies(budgets).await?, now))
    }

    async fn tallies(&self, budgets: &[Budget]) -> Result<Vec<Tally>> {
        let keys = budgets.iter().map(|budget| budget.key.as_str());
        let rows = budget::Entity::find()
            .filter(budget::Column::Key.is_in(keys))
            .all(self.store.reader())
            .await?;
        let tally = |requested: &Budget| {
            let row = rows.iter().find(|row| row.key == requested.key);
            row.map(|row| Tally::read(&row.tally)).unwrap_or_default()
        };
        Ok(budgets.iter().map(tally).collect())
    }
}

fn suspect(budgets: &[Budget], tallies: &[Tally], now: u32) -> bool {
    let mut pairs = budgets.iter().zip(tallies);
    pairs.any(|(budget, tally)| tally.used(budget, now) >= budget.suspect_at)
}

fn check<'a>(pairs: impl Iterator<Item = (&'a Budget, &'a Tally)>, now: u32) -> Result<()> {
    let wait = pairs.map(|(budget, tally)| tally.wait(budget, now)).max().unwrap_or(0);
    if wait == 0 {
        return Ok(());
    }
    Err(Error::of(ErrorCode::TooMany).with_retry_after(Duration::from_secs(wait.into())))
}

/// Same as [`IdentityStore::consume`], in a transaction.
pub(super) async fn consume(tx: &DatabaseTransaction, budgets: &[Budget], now: u32) -> Result<()> {
    // The rows are locked in the same order everywhere.
    let mut budgets: Vec<&Budget> = budgets.iter().collect();
    budgets.sort_by(|left, right| left.key.cmp(&right.key));
    let mut tallies = Vec::new();
    for requested in &budgets {
        let empty = budget::ActiveModel {
            key: Set(requested.key.clone()),
            tally: Set(String::new()),
            expires_at: Set((now + requested.memory()).into()),
        };
        // The update locks an existing row, so that the sweep cannot delete it before it is read.
        let locked = OnConflict::column(budget::Column::Key)
            .update_column(budget::Column::ExpiresAt)
            .to_owned();
        let row = budget::Entity::insert(empty).on_conflict(locked).exec_with_returning(tx).await?;
        tallies.push(Tally::read(&row.tally));
    }
    check(budgets.iter().copied().zip(&tallies), now)?;
    for (requested, mut tally) in budgets.into_iter().zip(tallies) {
        tally.add(requested, now);
        budget::Entity::update_many()
            .col_expr(budget::Column::Tally, Expr::val(tally.text()))
            .filter(budget::Column::Key.eq(requested.key.as_str()))
            .exec(tx)
            .await?;
    }
    Ok(())
}
