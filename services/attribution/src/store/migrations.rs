//! The migrations of the schema.
use sahm_chassis::store::SqlMigration;

pub(super) const MIGRATIONS: [SqlMigration; 1] =
    [SqlMigration::new("attribution_0001_tables", include_str!("migrations/0001_tables.sql"))];
