//! The migrations of the schema.
use sahm_chassis::store::SqlMigration;
use sea_orm_migration::{MigrationTrait, MigratorTrait};

pub(super) struct Migrations;

impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![SqlMigration::boxed("quotes_0001_tables", include_str!("migrations/0001_tables.sql"))]
    }
}
