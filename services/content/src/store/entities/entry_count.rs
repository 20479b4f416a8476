//! An entry's number of reads and likes.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "entry_count")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub reads: i64,
    pub likes: i64,
}

impl ActiveModelBehavior for ActiveModel {}
