//! The migrations of the schema.
use sahm_chassis::store::SqlMigration;
use sea_orm_migration::{MigrationTrait, MigratorTrait};

pub(super) struct Migrations;

impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            SqlMigration::boxed("identity_0001_tables", include_str!("migrations/0001_tables.sql")),
            SqlMigration::boxed(
                "identity_0002_member_erasures",
                include_str!("migrations/0002_member_erasures.sql"),
            ),
            SqlMigration::boxed(
                "identity_0003_feedback_age",
                include_str!("migrations/0003_feedback_age.sql"),
            ),
            SqlMigration::boxed(
                "identity_0004_erasure_operator",
                include_str!("migrations/0004_erasure_operator.sql"),
            ),
        ]
    }
}
