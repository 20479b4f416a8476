//! Tables. Times are epoch seconds.

sahm_chassis::tables! {
    member("member") {
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

    /// Sessions by name; of a token only the hash is stored.
    session("session") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub token_hash: Vec<u8>,
        pub member_id: i64,
        pub created_at: i64,
        pub expires_at: i64,
    }

    /// The newest code of a number and scene.
    auth_code("auth_code") {
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

    /// Recent events by counted key.
    budget("budget") {
        #[sea_orm(primary_key, auto_increment = false, column_name = "budget_key")]
        pub key: String,
        pub tally: String,
        pub expires_at: i64,
    }

    feedback("feedback") {
        #[sea_orm(primary_key)]
        pub number: i64,
        pub ticket: String,
        pub subject: String,
        pub content: String,
        pub contact: String,
        pub member_id: Option<i64>,
        pub created_at: i64,
    }

    feedback_file("feedback_file") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub ticket: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub position: i32,
        pub name: String,
        pub content_type: String,
        pub size: i32,
        pub body: Vec<u8>,
    }

    /// Audit records: members whose data was erased, why, and by whom.
    member_erasure("member_erasure") {
        #[sea_orm(primary_key)]
        pub number: i64,
        pub member_id: i64,
        pub reason: String,
        pub caller: Option<String>,
        pub erased_at: i64,
        pub operator: Option<String>,
    }
}
