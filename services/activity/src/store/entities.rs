//! Tables. Times are epoch seconds, amounts hundredths of their currency.
#![allow(unreachable_pub)] // the derives need `pub` in private modules

/// Campaigns: the columns that rules query, and the whole campaign as it was imported.
pub(super) mod campaign {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "campaign")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub begin_at: i64,
        pub end_at: i64,
        #[sea_orm(column_type = "Text")]
        pub document: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The share text of each channel.
pub(super) mod share_text {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "share_text")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub channel: String,
        #[sea_orm(column_type = "Text")]
        pub text_en: String,
        #[sea_orm(column_type = "Text")]
        pub text_sa: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Invitation codes: one per member, unique.
pub(super) mod invite_code {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "invite_code")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub member_id: i64,
        pub code: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Links: one per member, campaign and channel.
pub(super) mod short_chain {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "short_chain")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub member_id: i64,
        pub activity_id: i64,
        pub channel: String,
        pub created_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Participants; a member joins a campaign once.
pub(super) mod participant {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "participant")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub activity_id: i64,
        pub member_id: i64,
        pub inviter_id: Option<i64>,
        pub joined_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The countries of members, as far as known.
pub(super) mod member_country {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "member_country")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub member_id: i64,
        pub country_code: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Recorded deposits, numbered; an id is counted once.
pub(super) mod deposit {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "deposit")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub number: i64,
        pub id: String,
        pub member_id: i64,
        pub amount: i64,
        pub currency: String,
        pub deposited_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Draws. `prizes` is a JSON list of amounts.
pub(super) mod draw {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "draw")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub activity_id: i64,
        pub seed: Vec<u8>,
        #[sea_orm(column_type = "Text")]
        pub prizes: String,
        pub ticket_count: i64,
        pub tickets_hash: String,
        pub opened_at: i64,
        pub closed_at: Option<i64>,
        pub revealed_at: Option<i64>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The riyals that a member deposited while a draw was open.
pub(super) mod draw_deposit {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "draw_deposit")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub draw_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub member_id: i64,
        pub amount: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Tickets, numbered from 1 in each draw.
pub(super) mod ticket {
    use sahm_chassis::store::entity::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "ticket")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub draw_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub number: i64,
        pub member_id: i64,
        pub issued_at: i64,
    }

    impl ActiveModelBehavior for ActiveModel {}
}
