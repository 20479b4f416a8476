//! An article's position in a list; the primary key is in list order.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article_listing")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub list: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub locale: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub published_at: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
}

impl ActiveModelBehavior for ActiveModel {}
