use sea_orm::{
    ActiveModelTrait, DatabaseTransaction, EntityTrait, Iterable, PrimaryKeyToColumn,
    sea_query::OnConflict,
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
