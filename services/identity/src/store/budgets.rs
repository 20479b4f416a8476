//! Budgets in SQL, so that replicas share them.

use std::time::Duration;

use sahm_chassis::error::{Error, ErrorCode, Result};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, Set,
    sea_query::{Expr, OnConflict},
};

use super::{IdentityStore, entities::budget};
use crate::domain::{Budget, WindowCounter};

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
        let counters = self.counters(budgets).await?;
        check(budgets.iter().zip(&counters), now)?;
        Ok(suspect(budgets, &counters, now))
    }

    /// Same as [`IdentityStore::is_suspect`], also if one more event does not fit.
    pub async fn looks_suspect(&self, budgets: &[Budget], now: u32) -> Result<bool> {
        Ok(suspect(budgets, &self.counters(budgets).await?, now))
    }

    async fn counters(&self, budgets: &[Budget]) -> Result<Vec<WindowCounter>> {
        let keys = budgets.iter().map(|budget| budget.key.as_str());
        let rows = budget::Entity::find()
            .filter(budget::Column::Key.is_in(keys))
            .all(self.store.reader())
            .await?;
        let counter = |requested: &Budget| {
            let row = rows.iter().find(|row| row.key == requested.key);
            row.map(|row| WindowCounter::read(&row.tally)).unwrap_or_default()
        };
        Ok(budgets.iter().map(counter).collect())
    }
}

fn suspect(budgets: &[Budget], counters: &[WindowCounter], now: u32) -> bool {
    let mut pairs = budgets.iter().zip(counters);
    pairs.any(|(budget, counter)| counter.used(budget, now) >= budget.suspect_at)
}

fn check<'a>(pairs: impl Iterator<Item = (&'a Budget, &'a WindowCounter)>, now: u32) -> Result<()> {
    let wait = pairs.map(|(budget, counter)| counter.wait(budget, now)).max().unwrap_or(0);
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
    let mut counters = Vec::new();
    for requested in &budgets {
        let empty = budget::ActiveModel {
            key: Set(requested.key.clone()),
            tally: Set(String::new()),
            expires_at: Set((now + requested.retention_seconds()).into()),
        };
        // The update locks an existing row, so that the sweep cannot delete it before it is read.
        let locked = OnConflict::column(budget::Column::Key)
            .update_column(budget::Column::ExpiresAt)
            .to_owned();
        let row = budget::Entity::insert(empty).on_conflict(locked).exec_with_returning(tx).await?;
        counters.push(WindowCounter::read(&row.tally));
    }
    check(budgets.iter().copied().zip(&counters), now)?;
    for (requested, mut counter) in budgets.into_iter().zip(counters) {
        counter.add(requested, now);
        budget::Entity::update_many()
            .col_expr(budget::Column::Tally, Expr::val(counter.text()))
            .filter(budget::Column::Key.eq(requested.key.as_str()))
            .exec(tx)
            .await?;
    }
    Ok(())
}
