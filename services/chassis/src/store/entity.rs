//! SeaORM's prelude for the entities of all stores, with an empty `Relation`.
pub use sea_orm::entity::prelude::*;

/// Empty: no query joins tables through SeaORM.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}
