//! A draft (unpublished text) in one locale.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "draft")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub draft_type: String,
    #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub locale: String,
    pub position: i64,
    pub slug: String,
    pub published_at: i64,
    pub imported_at: i64,
    #[sea_orm(column_name = "head", column_type = "Text")]
    pub data: String,
    #[sea_orm(column_type = "Text")]
    pub body_html: String,
}

impl ActiveModelBehavior for ActiveModel {}
