//! Tables.
#![allow(unreachable_pub)] // the derives need `pub` in private modules

pub(super) mod security {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "security")]
    pub struct Model {
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

    impl ActiveModelBehavior for ActiveModel {}
}

/// Announcements, with a row per locale in another table.
pub(super) mod announcement {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "announcement")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub market: String,
        pub published_at: i64,
        pub sample: bool,
        /// Security codes joined by commas.
        #[sea_orm(column_type = "Text")]
        pub securities: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The text of an announcement in one locale.
pub(super) mod announcement_text {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "announcement_text")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub announcement_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub locale: String,
        /// Copied from the announcement, for lists by locale.
        pub published_at: i64,
        #[sea_orm(column_type = "Text")]
        pub title: String,
        #[sea_orm(column_type = "Text")]
        pub summary: String,
        #[sea_orm(column_type = "Text")]
        pub source: String,
        /// Paragraphs as a JSON list.
        #[sea_orm(column_type = "Text")]
        pub paragraphs: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}
