//! The schema, step by step.

use sea_orm_migration::{MigrationTrait, MigratorTrait, async_trait, prelude::*, schema};

pub(super) struct Migrations;

#[async_trait::async_trait]
impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Tables), Box::new(MemberErasures)]
    }
}

struct Tables;

impl MigrationName for Tables {
    fn name(&self) -> &str {
        "identity_0001_tables"
    }
}

fn unique(name: &str, table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(name).table(table).unique();
    for column in columns {
        index.col(*column);
    }
    index
}

fn index(name: &str, table: &'static str, column: &'static str) -> IndexCreateStatement {
    Index::create().name(name).table(table).col(column).to_owned()
}

#[async_trait::async_trait]
impl MigrationTrait for Tables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = [
            Table::create()
                .table("member")
                .col(schema::big_pk_auto("id"))
                .col(schema::string("tel_code"))
                .col(schema::string("phone"))
                .col(schema::string_null("email"))
                .col(schema::text_null("password_hash"))
                .col(schema::integer("status"))
                .col(schema::boolean("opened"))
                .col(schema::boolean("opened_saudi"))
                .col(schema::string_null("hs_no"))
                .col(schema::boolean("is_obtain_sns"))
                .col(schema::string("invite_code"))
                .col(schema::big_integer("created_at"))
                .to_owned(),
            Table::create()
                .table("session")
                .col(schema::string("id").primary_key())
                .col(schema::blob("token_hash"))
                .col(schema::big_integer("member_id"))
                .col(schema::big_integer("created_at"))
                .col(schema::big_integer("expires_at"))
                .to_owned(),
            Table::create()
                .table("auth_code")
                .col(schema::string("tel_code"))
                .col(schema::string("phone"))
                .col(schema::integer("scene"))
                .col(schema::string("nonce"))
                .col(schema::blob("hash"))
                .col(schema::integer("tries"))
                .col(schema::big_integer("expires_at"))
                .primary_key(Index::create().col("tel_code").col("phone").col("scene"))
                .to_owned(),
            Table::create()
                .table("budget")
                .col(schema::string("budget_key").primary_key())
                .col(schema::text("tally"))
                .col(schema::big_integer("expires_at"))
                .to_owned(),
            Table::create()
                .table("feedback")
                .col(schema::big_pk_auto("number"))
                .col(schema::string("ticket"))
                .col(schema::text("subject"))
                .col(schema::text("content"))
                .col(schema::text("contact"))
                .col(schema::big_integer_null("member_id"))
                .col(schema::big_integer("created_at"))
                .to_owned(),
            Table::create()
                .table("feedback_file")
                .col(schema::string("ticket"))
                .col(schema::integer("position"))
                .col(schema::text("name"))
                .col(schema::string("content_type"))
                .col(schema::integer("size"))
                .col(schema::blob("body"))
                .primary_key(Index::create().col("ticket").col("position"))
                .to_owned(),
        ];
        for table in tables {
            manager.create_table(table).await?;
        }
        let indexes = [
            unique("member_phone", "member", &["tel_code", "phone"]),
            unique("member_email", "member", &["email"]),
            unique("member_hs_no", "member", &["hs_no"]),
            unique("session_token", "session", &["token_hash"]),
            index("session_member", "session", "member_id"),
            index("session_expiry", "session", "expires_at"),
            index("auth_code_expiry", "auth_code", "expires_at"),
            index("budget_expiry", "budget", "expires_at"),
            unique("feedback_ticket", "feedback", &["ticket"]),
        ];
        for index in indexes {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["feedback_file", "feedback", "budget", "auth_code", "session", "member"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

struct MemberErasures;

impl MigrationName for MemberErasures {
    fn name(&self) -> &str {
        "identity_0002_member_erasures"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for MemberErasures {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let erasures = Table::create()
            .table("member_erasure")
            .col(schema::big_pk_auto("number"))
            .col(schema::big_integer("member_id"))
            .col(schema::text("reason"))
            .col(schema::string_null("caller"))
            .col(schema::big_integer("erased_at"))
            .to_owned();
        manager.create_table(erasures).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("member_erasure").to_owned()).await
    }
}
