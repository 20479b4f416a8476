//! Tables. Times are epoch seconds.
#![allow(unreachable_pub)] // the derives need `pub` items in private modules

pub(super) mod member {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "member")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub tel_code: String,
        pub phone: String,
        pub email: Option<String>,
        pub password_hash: Option<String>,
        pub status: i32,
        pub opened: bool,
        pub opened_saudi: bool,
        pub hs_no: Option<String>,
        pub is_obtain_sns: bool,
        pub invite_code: String,
        pub created_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Sessions by name; of a token only the hash is stored.
pub(super) mod session {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "session")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub token_hash: Vec<u8>,
        pub member_id: i64,
        pub created_at: i64,
        pub expires_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The newest code of a number and scene.
pub(super) mod auth_code {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "auth_code")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub tel_code: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub phone: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub scene: i32,
        pub nonce: String,
        pub hash: Vec<u8>,
        pub tries: i32,
        pub expires_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Recent events by counted key.
pub(super) mod budget {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "budget")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, column_name = "budget_key")]
        pub key: String,
        #[sea_orm(column_type = "Text")]
        pub tally: String,
        pub expires_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod feedback {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "feedback")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub number: i64,
        pub ticket: String,
        #[sea_orm(column_type = "Text")]
        pub subject: String,
        #[sea_orm(column_type = "Text")]
        pub content: String,
        #[sea_orm(column_type = "Text")]
        pub contact: String,
        pub member_id: Option<i64>,
        pub created_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

pub(super) mod feedback_file {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "feedback_file")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub ticket: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub position: i32,
        #[sea_orm(column_type = "Text")]
        pub name: String,
        pub content_type: String,
        pub size: i32,
        pub body: Vec<u8>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Audit records: members whose data was erased, why, and by whom.
pub(super) mod member_erasure {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "member_erasure")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub number: i64,
        pub member_id: i64,
        #[sea_orm(column_type = "Text")]
        pub reason: String,
        pub caller: Option<String>,
        pub erased_at: i64,
        pub operator: Option<String>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}
