//! Tables.

sahm_chassis::tables! {
    item("config_item") {
        #[sea_orm(primary_key, auto_increment = false, column_name = "item_key")]
        pub key: String,
        pub value: String,
        pub ctype: String,
    }

    /// Menu and fee schedule, each one canonical JSON of its proto message.
    document("config_document") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub name: String,
        pub json: String,
    }

    country("country") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub code: String,
        pub name: String,
        pub name_ar: String,
        pub tel_code: String,
        pub general_rank: i32,
        pub area_code: i32,
        pub position: i32,
    }
}
