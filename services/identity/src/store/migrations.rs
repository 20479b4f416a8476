//! The migrations of the schema.
use sahm_chassis::store::SqlMigration;

pub(super) const MIGRATIONS: [SqlMigration; 4] = [
    SqlMigration::new("identity_0001_tables", include_str!("migrations/0001_tables.sql")),
    SqlMigration::new(
        "identity_0002_member_erasures",
        include_str!("migrations/0002_member_erasures.sql"),
    ),
    SqlMigration::new(
        "identity_0003_feedback_age",
        include_str!("migrations/0003_feedback_age.sql"),
    ),
    SqlMigration::new(
        "identity_0004_erasure_operator",
        include_str!("migrations/0004_erasure_operator.sql"),
    ),
];
