//! The schema, step by step.

use sea_orm_migration::{MigrationTrait, MigratorTrait, async_trait, prelude::*, schema};

pub(super) struct Migrations;

#[async_trait::async_trait]
impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let mut all = sahm_chassis::changes::migrations();
        all.push(Box::new(Tables));
        all
    }
}

struct Tables;

impl MigrationName for Tables {
    fn name(&self) -> &str {
        "activity_0001_tables"
    }
}

fn index(name: &str, table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(name).table(table);
    for column in columns {
        index.col(*column);
    }
    index
}

fn unique(name: &str, table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    index(name, table, columns).unique().to_owned()
}

fn campaign_tables() -> [TableCreateStatement; 2] {
    [
        Table::create()
            .table("campaign")
            .col(schema::big_integer("id").primary_key())
            .col(schema::big_integer("begin_at"))
            .col(schema::big_integer("end_at"))
            .col(schema::text("document"))
            .to_owned(),
        Table::create()
            .table("share_text")
            .col(schema::string("channel").primary_key())
            .col(schema::text("text_en"))
            .col(schema::text("text_sa"))
            .to_owned(),
    ]
}

fn member_tables() -> [TableCreateStatement; 5] {
    [
        Table::create()
            .table("invite_code")
            .col(schema::big_integer("member_id").primary_key())
            .col(schema::string("code"))
            .to_owned(),
        Table::create()
            .table("short_chain")
            .col(schema::big_pk_auto("id"))
            .col(schema::big_integer("member_id"))
            .col(schema::big_integer("activity_id"))
            .col(schema::string("channel"))
            .col(schema::big_integer("created_at"))
            .to_owned(),
        Table::create()
            .table("participant")
            .col(schema::big_pk_auto("id"))
            .col(schema::big_integer("activity_id"))
            .col(schema::big_integer("member_id"))
            .col(schema::big_integer_null("inviter_id"))
            .col(schema::big_integer("joined_at"))
            .to_owned(),
        Table::create()
            .table("member_country")
            .col(schema::big_integer("member_id").primary_key())
            .col(schema::string("country_code"))
            .to_owned(),
        Table::create()
            .table("deposit")
            .col(schema::big_pk_auto("number"))
            .col(schema::string("id"))
            .col(schema::big_integer("member_id"))
            .col(schema::big_integer("amount"))
            .col(schema::string("currency"))
            .col(schema::big_integer("deposited_at"))
            .to_owned(),
    ]
}

fn draw_tables() -> [TableCreateStatement; 3] {
    [
        Table::create()
            .table("draw")
            .col(schema::string("id").primary_key())
            .col(schema::big_integer("activity_id"))
            .col(schema::blob("seed"))
            .col(schema::text("prizes"))
            .col(schema::big_integer("ticket_count"))
            .col(schema::string("tickets_hash"))
            .col(schema::big_integer("opened_at"))
            .col(schema::big_integer_null("closed_at"))
            .col(schema::big_integer_null("revealed_at"))
            .to_owned(),
        Table::create()
            .table("draw_deposit")
            .col(schema::string("draw_id"))
            .col(schema::big_integer("member_id"))
            .col(schema::big_integer("amount"))
            .primary_key(Index::create().col("draw_id").col("member_id"))
            .to_owned(),
        Table::create()
            .table("ticket")
            .col(schema::string("draw_id"))
            .col(schema::big_integer("number"))
            .col(schema::big_integer("member_id"))
            .col(schema::big_integer("issued_at"))
            .primary_key(Index::create().col("draw_id").col("number"))
            .to_owned(),
    ]
}

#[async_trait::async_trait]
impl MigrationTrait for Tables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in campaign_tables().into_iter().chain(member_tables()).chain(draw_tables()) {
            manager.create_table(table).await?;
        }
        for index in [
            unique("invite_code_code", "invite_code", &["code"]),
            unique("short_chain_link", "short_chain", &["member_id", "activity_id", "channel"]),
            unique("participant_once", "participant", &["activity_id", "member_id"]),
            index("participant_member", "participant", &["member_id", "id"]),
            index("participant_inviter", "participant", &["activity_id", "inviter_id"]),
            unique("deposit_id", "deposit", &["id"]),
            index("deposit_member", "deposit", &["member_id", "number"]),
            index("draw_campaign", "draw", &["activity_id", "opened_at"]),
            index("draw_open", "draw", &["closed_at"]),
            index("ticket_member", "ticket", &["member_id", "draw_id"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            "ticket",
            "draw_deposit",
            "draw",
            "deposit",
            "member_country",
            "participant",
            "short_chain",
            "invite_code",
            "share_text",
            "campaign",
        ] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
