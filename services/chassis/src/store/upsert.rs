use sea_orm::{
    ActiveModelTrait, DatabaseTransaction, EntityTrait, Iterable, PrimaryKeyToColumn,
    sea_query::OnConflict,
};

use crate::error::Result;

/// Inserts rows; a row whose primary key is in the table is replaced.
///
/// # Errors
/// The store does not take them.
pub async fn upsert<A: ActiveModelTrait>(
    tx: &DatabaseTransaction,
    rows: impl IntoIterator<Item = A>,
) -> Result<()> {
    let key = <A::Entity as EntityTrait>::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column);
    let replace = OnConflict::columns(key)
        .update_columns(<A::Entity as EntityTrait>::Column::iter())
        .to_owned();
    A::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}
