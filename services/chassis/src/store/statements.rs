//! Statements that several stores use.
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, Iterable,
    PrimaryKeyToColumn, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{IntoCondition, OnConflict},
};

use crate::error::Result;

type Column<A> = <<A as ActiveModelTrait>::Entity as EntityTrait>::Column;
type PrimaryKey<A> = <<A as ActiveModelTrait>::Entity as EntityTrait>::PrimaryKey;

/// Inserts rows, or replaces the stored rows with the same primary keys.
///
/// # Errors
/// The database rejects the rows or does not respond.
pub async fn upsert<A: ActiveModelTrait>(
    tx: &DatabaseTransaction,
    rows: impl IntoIterator<Item = A>,
) -> Result<()> {
    let (keys, others): (Vec<_>, Vec<_>) =
        Column::<A>::iter().partition(|column| PrimaryKey::<A>::from_column(*column).is_some());
    let replace = OnConflict::columns(keys).update_columns(others).to_owned();
    A::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// Deletes the rows that match and returns their number.
///
/// # Errors
/// The database does not respond.
pub async fn delete<E: EntityTrait>(
    tx: &DatabaseTransaction,
    condition: impl IntoCondition,
) -> Result<u64> {
    Ok(E::delete_many().filter(condition).exec(tx).await?.rows_affected)
}

/// Up to `size` rows of a query whose `column` is above `after`, in the order of the column.
///
/// # Errors
/// The database does not respond.
pub async fn rows_after<E: EntityTrait>(
    connection: &impl ConnectionTrait,
    query: Select<E>,
    column: E::Column,
    after: u64,
    size: u64,
) -> Result<Vec<E::Model>> {
    // No column has a larger number.
    let Ok(after) = i64::try_from(after) else { return Ok(Vec::new()) };
    let query = query.filter(column.gt(after)).order_by_asc(column).limit(size);
    Ok(query.all(connection).await?)
}
