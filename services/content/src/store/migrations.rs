//! The migrations of the schema.
use sahm_chassis::{changes, store::SqlMigration};
use sea_orm_migration::{MigrationTrait, MigratorTrait};

pub(super) struct Migrations;

impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let mut all = changes::migrations();
        all.extend([
            SqlMigration::boxed(
                "m2026_11_21_000001_news",
                include_str!("migrations/0002_news.sql"),
            ),
            SqlMigration::boxed(
                "content_0003_entries",
                include_str!("migrations/0003_entries.sql"),
            ),
            SqlMigration::boxed("content_0004_boards", include_str!("migrations/0004_counts.sql")),
            SqlMigration::boxed("content_0005_drafts", include_str!("migrations/0005_drafts.sql")),
            SqlMigration::boxed(
                "content_0006_larger_pictures",
                include_str!("migrations/0006_larger_pictures.sql"),
            ),
            SqlMigration::boxed(
                "content_0007_readers",
                include_str!("migrations/0007_readers.sql"),
            ),
        ]);
        all
    }
}
