//! Makes the tables.
use sea_orm::sea_query::Index;
use sea_orm_migration::{
    MigrationName, MigrationTrait, SchemaManager, async_trait,
    prelude::DbErr,
    schema::{big_integer, boolean, integer, string_len, text},
    sea_query::Table,
};

/// The change log's migrations; a service puts them before its own.
pub fn migrations() -> Vec<Box<dyn MigrationTrait>> {
    vec![Box::new(CreateChangeLog)]
}

struct CreateChangeLog;

impl MigrationName for CreateChangeLog {
    fn name(&self) -> &str {
        "change_log_001_create"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for CreateChangeLog {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("change_log")
                    .col(big_integer("sequence").primary_key())
                    .col(text("tags"))
                    .col(boolean("soft"))
                    .col(big_integer("time"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create().name("change_log_time").table("change_log").col("time").to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("change_log_meta")
                    .col(integer("id").primary_key())
                    .col(string_len("log_id", 32))
                    .col(big_integer("last_sequence"))
                    .col(big_integer("pruned_through"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("change_log").to_owned()).await?;
        manager.drop_table(Table::drop().table("change_log_meta").to_owned()).await
    }
}
