//! A media file. It never changes and is never deleted: its name is derived from its content, and
//! pages cache it.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "media")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub content_type: String,
    #[sea_orm(column_type = "Blob")]
    pub body: Vec<u8>,
}

impl ActiveModelBehavior for ActiveModel {}
