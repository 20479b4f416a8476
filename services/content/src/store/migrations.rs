//! The migrations of the schema.
use sahm_chassis::{changes, store::SqlMigration};

pub(super) const MIGRATIONS: [SqlMigration; 7] = [
    changes::MIGRATION,
    SqlMigration::new("m2026_11_21_000001_news", include_str!("migrations/0002_news.sql")),
    SqlMigration::new("content_0003_entries", include_str!("migrations/0003_entries.sql")),
    SqlMigration::new("content_0004_boards", include_str!("migrations/0004_counts.sql")),
    SqlMigration::new("content_0005_drafts", include_str!("migrations/0005_drafts.sql")),
    SqlMigration::new(
        "content_0006_larger_pictures",
        include_str!("migrations/0006_larger_pictures.sql"),
    ),
    SqlMigration::new("content_0007_readers", include_str!("migrations/0007_readers.sql")),
];
