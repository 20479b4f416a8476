//! The migrations of the schema.
use sahm_chassis::{changes, store::SqlMigration};
use sea_orm_migration::{MigrationTrait, MigratorTrait};

pub(super) struct Migrations;

impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let mut all = changes::migrations();
        all.extend([
            SqlMigration::boxed("config_0001_tables", include_str!("migrations/0001_tables.sql")),
            SqlMigration::boxed(
                "config_0002_area_codes",
                include_str!("migrations/0002_area_codes.sql"),
            ),
        ]);
        all
    }
}
