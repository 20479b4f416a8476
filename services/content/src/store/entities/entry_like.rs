//! A like of an entry by a member or a visitor.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "entry_like")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub voter: String,
    /// Epoch seconds; rows of earlier releases have the date of the migration.
    pub liked_at: i64,
}

impl ActiveModelBehavior for ActiveModel {}
