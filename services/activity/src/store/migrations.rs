//! The migrations of the schema.
use sahm_chassis::{changes, store::SqlMigration};

pub(super) const MIGRATIONS: [SqlMigration; 2] = [
    changes::MIGRATION,
    SqlMigration::new("activity_0001_tables", include_str!("migrations/0001_tables.sql")),
];
