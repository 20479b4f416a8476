//! The kinds of content that were seeded, or had items before the seed.
use sahm_chassis::store::entity::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "seed_mark")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    pub seeded_at: i64,
}

impl ActiveModelBehavior for ActiveModel {}
