//! The readers of an entry: members and visitors.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "entry_reader")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub reader: String,
    /// Epoch seconds; rows of earlier releases have the date of the migration.
    pub read_at: i64,
}

impl ActiveModelBehavior for ActiveModel {}
