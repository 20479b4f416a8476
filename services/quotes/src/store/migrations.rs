//! The schema, step by step.

use sea_orm_migration::{MigrationTrait, MigratorTrait, async_trait, prelude::*, schema};

pub(super) struct Migrations;

#[async_trait::async_trait]
impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Tables)]
    }
}

struct Tables;

impl MigrationName for Tables {
    fn name(&self) -> &str {
        "quotes_0001_tables"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Tables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("security")
                    .col(schema::string("code").primary_key())
                    .col(schema::big_integer("data_type"))
                    .col(schema::string("exchange"))
                    .col(schema::string("name"))
                    .col(schema::string("name_sa"))
                    .col(schema::string("level"))
                    .col(schema::integer("status"))
                    .col(schema::boolean("pre_ipo"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("announcement")
                    .col(schema::big_integer("id").primary_key())
                    .col(schema::string("market"))
                    .col(schema::big_integer("published_at"))
                    .col(schema::boolean("sample"))
                    .col(schema::text("securities"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("announcement_text")
                    .col(schema::big_integer("announcement_id"))
                    .col(schema::string("locale"))
                    .col(schema::big_integer("published_at"))
                    .col(schema::text("title"))
                    .col(schema::text("summary"))
                    .col(schema::text("source"))
                    .col(schema::text("paragraphs"))
                    .primary_key(Index::create().col("announcement_id").col("locale"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("announcement_text_list")
                    .table("announcement_text")
                    .col("locale")
                    .col("published_at")
                    .col("announcement_id")
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["announcement_text", "announcement", "security"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
