//! The tables of the change log.

/// One appended change.
pub(super) mod change_log {
    #![allow(unreachable_pub)]
    use crate::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "change_log")]
    pub struct Model {
        /// Starts at 1, without gaps, in the order of commits.
        #[sea_orm(primary_key, auto_increment = false)]
        pub sequence: i64,
        /// A JSON array of strings.
        #[sea_orm(column_type = "Text")]
        pub tags: String,
        /// Whether the purge is soft: pages become stale instead of invalid.
        pub soft: bool,
        /// Epoch seconds.
        pub time: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The log itself: a table with one row.
pub(super) mod change_log_meta {
    #![allow(unreachable_pub)]
    use crate::store::entity::*;

    /// The key of the row.
    pub const ID: i32 = 1;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "change_log_meta")]
    pub struct Model {
        /// Always [`ID`].
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        /// 32 hex digits.
        pub log_id: String,
        /// The sequence of the newest change; 0 before the first.
        pub last_sequence: i64,
        /// The last sequence that was removed because of its age.
        pub pruned_through: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}
