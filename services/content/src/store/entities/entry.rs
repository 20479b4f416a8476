//! An item of the college, the help centre or the search: bilingual (the locale is empty), or its
//! text in one locale.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub locale: String,
    pub slug: String,
    pub published_at: i64,
    pub updated_at: i64,
    #[sea_orm(column_name = "head", column_type = "Text")]
    pub data: String,
    #[sea_orm(column_type = "Text")]
    pub body_html: String,
}

impl ActiveModelBehavior for ActiveModel {}
