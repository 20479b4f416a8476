//! An entry's position in a list.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "entry_listing")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub list: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub locale: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub rank: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(column_name = "shelf")]
    pub kind: String,
    pub published_at: i64,
}

impl ActiveModelBehavior for ActiveModel {}
