//! A viewer's progress in a video. The table has a legacy name.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "video_view")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub viewer: String,
    pub position: i64,
    pub duration: i64,
    pub viewed_at: i64,
}

impl ActiveModelBehavior for ActiveModel {}
