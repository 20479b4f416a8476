//! An article's text in one locale.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "article_text")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub locale: String,
    pub sample: bool,
    pub market: String,
    pub title: String,
    #[sea_orm(column_type = "Text")]
    pub summary: String,
    #[sea_orm(column_type = "Text")]
    pub body_html: String,
    pub published_at: i64,
    pub updated_at: i64,
    pub author: String,
    pub image_name: Option<String>,
    pub image_alt: String,
    pub image_width: i64,
    pub image_height: i64,
    #[sea_orm(column_name = "image_2x")]
    pub image_x2: Option<String>,
    #[sea_orm(column_name = "image_3x")]
    pub image_x3: Option<String>,
    pub reading_minutes: i64,
}

impl ActiveModelBehavior for ActiveModel {}
