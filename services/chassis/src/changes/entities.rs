//! The tables of the change log.

/// The key of the row of `change_log_meta`.
pub(super) const META_ID: i32 = 1;

crate::tables! {
    /// One appended change.
    change_log("change_log") {
        /// Starts at 1, without gaps, in the order of commits.
        #[sea_orm(primary_key, auto_increment = false)]
        pub sequence: i64,
        /// A JSON array of strings.
        pub tags: String,
        /// Whether the purge is soft: pages become stale instead of invalid.
        pub soft: bool,
        /// Epoch seconds.
        pub time: i64,
    }

    /// The log itself: a table with one row.
    change_log_meta("change_log_meta") {
        /// Always [`META_ID`].
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        /// 32 hex digits.
        pub log_id: String,
        /// The sequence of the newest change; 0 before the first.
        pub last_sequence: i64,
        /// The last sequence that was removed because of its age.
        pub pruned_through: i64,
    }
}
