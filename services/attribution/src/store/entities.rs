//! Tables. Columns are named after the domain's fields, which are documented there.

sahm_chassis::tables! {
    /// One row, which numbers the events.
    log("attribution_log") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub last_sequence: i64,
    }

    event("event") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub sequence: i64,
        pub event_id: String,
        pub event_name: String,
        pub event_value: String,
        pub member_id: i64,
        pub sell_client: i32,
        pub device_no: String,
        pub campaign: String,
        pub channel: String,
        pub day: String,
        pub received_at: i64,
    }

    event_count("event_count") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub day: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub event_name: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub campaign: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub channel: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub sell_client: i32,
        pub events: i64,
    }

    sink("sink") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub name: String,
        pub from_sequence: i64,
        pub position: i64,
        pub delivered: i64,
        pub failed_attempts: i32,
        pub last_error: String,
        pub last_delivered_at: i64,
        pub lease_owner: String,
        pub lease_until: i64,
    }

    dead_letter("dead_letter") {
        #[sea_orm(primary_key, auto_increment = false)]
        pub sink: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub sequence: i64,
        pub reason: String,
        pub died_at: i64,
        pub replaying: bool,
    }
}
