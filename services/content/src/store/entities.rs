//! Tables. Columns are named after the domain's fields, which are documented there.

sahm_chassis::tables! {
    /// An article's position in a list; the primary key is in list order.
    article_listing("article_listing") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub list: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub locale: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub published_at: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
    }

    /// An article's text in one locale.
    article_text("article_text") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub locale: String,
        pub sample: bool,
        pub market: String,
        pub title: String,
        pub summary: String,
        pub body_html: String,
        pub published_at: i64,
        pub updated_at: i64,
        pub author: String,
        pub image_name: Option<String>,
        pub image_alt: String,
        pub image_width: i64,
        pub image_height: i64,
        #[sea_orm(column_name = "image_2x")]
        pub image_x2: Option<String>,
        #[sea_orm(column_name = "image_3x")]
        pub image_x3: Option<String>,
        pub reading_minutes: i64,
    }

    /// A draft (unpublished text) in one locale.
    draft("draft") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub draft_type: String,
        #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub locale: String,
        pub position: i64,
        pub slug: String,
        pub published_at: i64,
        pub imported_at: i64,
        #[sea_orm(column_name = "head")]
        pub data: String,
        pub body_html: String,
    }

    /// An item of education, the help centre or the search: bilingual (the locale is empty), or its
    /// text in one locale.
    entry("entry") {
        #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub locale: String,
        pub slug: String,
        pub published_at: i64,
        pub updated_at: i64,
        #[sea_orm(column_name = "head")]
        pub data: String,
        pub body_html: String,
    }

    /// An entry's number of reads and likes.
    entry_count("entry_count") {
        #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub reads: i64,
        pub likes: i64,
    }

    /// A like of an entry by a member or a visitor.
    entry_like("entry_like") {
        #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub voter: String,
        /// Epoch seconds; rows of earlier releases have the date of the migration.
        pub liked_at: i64,
    }

    /// An entry's position in a list.
    entry_listing("entry_listing") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub list: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub locale: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub rank: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(column_name = "shelf")]
        pub kind: String,
        pub published_at: i64,
    }

    /// The readers of an entry: members and visitors.
    entry_reader("entry_reader") {
        #[sea_orm(primary_key, auto_increment = false, column_name = "shelf")]
        pub kind: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub reader: String,
        /// Epoch seconds; rows of earlier releases have the date of the migration.
        pub read_at: i64,
    }

    /// A media file. It never changes and is never deleted: its name is derived from its content, and
    /// pages cache it.
    media("media") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub name: String,
        pub content_type: String,
        pub body: Vec<u8>,
    }

    /// A tab of the news page.
    news_tab("news_tab") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub name: String,
        pub name_sa: String,
        pub market: String,
        pub position: i64,
    }

    /// The kinds of content that were seeded, or had items before the seed.
    seed_mark("seed_mark") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub kind: String,
        pub seeded_at: i64,
    }

    /// A viewer's progress in a video. The table has a legacy name.
    video_progress("video_view") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub viewer: String,
        pub position: i64,
        pub duration: i64,
        pub viewed_at: i64,
    }
}
