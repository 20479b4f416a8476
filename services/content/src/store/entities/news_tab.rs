//! A tab of the news page.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "news_tab")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub name: String,
    pub name_sa: String,
    pub market: String,
    pub position: i64,
}

impl ActiveModelBehavior for ActiveModel {}
