//! The migrations of the schema.
use sahm_chassis::{changes, store::SqlMigration};

pub(super) const MIGRATIONS: [SqlMigration; 3] = [
    changes::MIGRATION,
    SqlMigration::new("config_0001_tables", include_str!("migrations/0001_tables.sql")),
    SqlMigration::new("config_0002_area_codes", include_str!("migrations/0002_area_codes.sql")),
];
