//! Tables. Times are epoch seconds, amounts hundredths of their currency.

sahm_chassis::tables! {
    /// Campaigns: the columns that rules query, and the whole campaign as it was imported.
    campaign("campaign") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub begin_at: i64,
        pub end_at: i64,
        pub document: String,
    }

    /// The share text of each channel.
    share_text("share_text") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub channel: String,
        pub text_en: String,
        pub text_sa: String,
    }

    /// Invitation codes: one per member, unique.
    invite_code("invite_code") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub member_id: i64,
        pub code: String,
    }

    /// Links: one per member, campaign and channel.
    short_chain("short_chain") {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub member_id: i64,
        pub activity_id: i64,
        pub channel: String,
        pub created_at: i64,
    }

    /// Participants; a member joins a campaign once.
    participant("participant") {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub activity_id: i64,
        pub member_id: i64,
        pub inviter_id: Option<i64>,
        pub joined_at: i64,
    }

    /// The countries of members, as far as known.
    member_country("member_country") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub member_id: i64,
        pub country_code: String,
    }

    /// Recorded deposits, numbered; an id is counted once.
    deposit("deposit") {
        #[sea_orm(primary_key)]
        pub number: i64,
        pub id: String,
        pub member_id: i64,
        pub amount: i64,
        pub currency: String,
        pub deposited_at: i64,
    }

    /// Draws. `prizes` is a JSON list of amounts.
    draw("draw") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub activity_id: i64,
        pub seed: Vec<u8>,
        pub prizes: String,
        pub ticket_count: i64,
        pub tickets_hash: String,
        pub opened_at: i64,
        pub closed_at: Option<i64>,
        pub revealed_at: Option<i64>,
    }

    /// The riyals that a member deposited while a draw was open.
    draw_deposit("draw_deposit") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub draw_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub member_id: i64,
        pub amount: i64,
    }

    /// Tickets, numbered from 1 in each draw.
    ticket("ticket") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub draw_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub number: i64,
        pub member_id: i64,
        pub issued_at: i64,
    }
}
