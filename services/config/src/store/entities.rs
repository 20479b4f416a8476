//! Tables.
#![allow(unreachable_pub)] // the derives need `pub` in private modules

pub(super) mod item {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "config_item")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_name = "item_key")]
        pub key: String,
        #[sea_orm(column_type = "Text")]
        pub value: String,
        pub ctype: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Menu and fee schedule, each one canonical JSON of its proto message.
pub(super) mod document {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "config_document")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub name: String,
        #[sea_orm(column_type = "Text")]
        pub json: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod country {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "country")]
    pub struct Model {
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

    impl ActiveModelBehavior for ActiveModel {}
}
