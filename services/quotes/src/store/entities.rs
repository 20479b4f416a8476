//! Tables.

sahm_chassis::tables! {
    security("security") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub code: String,
        pub data_type: i64,
        pub exchange: String,
        pub name: String,
        pub name_sa: String,
        /// A decimal as text.
        pub level: String,
        pub status: i32,
        pub pre_ipo: bool,
    }

    /// Announcements, with a row per locale in another table.
    announcement("announcement") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub market: String,
        pub published_at: i64,
        pub sample: bool,
        /// Security codes joined by commas.
        pub securities: String,
    }

    /// The text of an announcement in one locale.
    announcement_text("announcement_text") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub announcement_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub locale: String,
        /// Copied from the announcement, for lists by locale.
        pub published_at: i64,
        pub title: String,
        pub summary: String,
        pub source: String,
        /// Paragraphs as a JSON list.
        pub paragraphs: String,
    }
}
