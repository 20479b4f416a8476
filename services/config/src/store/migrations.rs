//! The schema, step by step.

use sea_orm_migration::{MigrationTrait, MigratorTrait, async_trait, prelude::*, schema};

pub(super) struct Migrations;

#[async_trait::async_trait]
impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let mut all = sahm_chassis::changes::migrations();
        all.push(Box::new(Tables));
        all.push(Box::new(AreaCodes));
        all
    }
}

struct Tables;

struct AreaCodes;

impl MigrationName for Tables {
    fn name(&self) -> &str {
        "config_0001_tables"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Tables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("config_item")
                    .col(schema::string("item_key").primary_key())
                    .col(schema::text("value"))
                    .col(schema::string("ctype"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("config_document")
                    .col(schema::string("name").primary_key())
                    .col(schema::text("json"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("country")
                    .col(schema::string("id").primary_key())
                    .col(schema::string("code"))
                    .col(schema::string("name"))
                    .col(schema::string("name_ar"))
                    .col(schema::string("tel_code"))
                    .col(schema::integer("general_rank"))
                    .col(schema::integer("position"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["country", "config_document", "config_item"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

impl MigrationName for AreaCodes {
    fn name(&self) -> &str {
        "config_0002_area_codes"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for AreaCodes {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = schema::integer("area_code").default(0).to_owned();
        manager.alter_table(Table::alter().table("country").add_column(column).to_owned()).await?;
        // Countries that were imported before have the seed's code too.
        let known = Query::update()
            .table("country")
            .value("area_code", 74)
            .and_where(Expr::col("code").eq("SAU"))
            .to_owned();
        manager.execute(known).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .alter_table(Table::alter().table("country").drop_column("area_code").to_owned())
            .await
    }
}
