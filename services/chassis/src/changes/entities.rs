//! The two tables.

/// One appended change.
pub(super) mod change_log {
    #![allow(unreachable_pub)]
    use crate::store::entity::*;

    /// A row.
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "change_log")]
    pub struct Model {
        /// From 1, without gaps, in the order of commits.
        #[sea_orm(primary_key, auto_increment = false)]
        pub sequence: i64,
        /// A JSON array of texts.
        #[sea_orm(column_type = "Text")]
        pub tags: String,
        /// Stale instead of gone.
        pub soft: bool,
        /// Epoch seconds.
        pub time: i64,
    }

    /// None.
    impl ActiveModelBehavior for ActiveModel {}
}

/// The log itself: one row.
pub(super) mod change_log_meta {
    #![allow(unreachable_pub)]
    use crate::store::entity::*;

    /// The one row's key.
    pub const ID: i32 = 1;

    /// The row.
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "change_log_meta")]
    pub struct Model {
        /// Always [`ID`].
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        /// 32 hex digits.
        pub log_id: String,
        /// Of the newest change; 0 before the first.
        pub last_sequence: i64,
        /// Up to here entries were removed because of their age.
        pub pruned_through: i64,
    }

    /// None.
    impl ActiveModelBehavior for ActiveModel {}
}
