//! What the entities of the stores are made of: SeaORM's prelude, and the relations that none of
//! them has.
pub use sea_orm::entity::prelude::*;

/// No relations: no query joins tables.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}
