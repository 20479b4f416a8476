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
        "attribution_0001_tables"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Tables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let log = Table::create()
            .table("attribution_log")
            .col(schema::integer("id").primary_key())
            .col(schema::big_integer("last_sequence"))
            .to_owned();
        let first = Query::insert()
            .into_table("attribution_log")
            .columns(["id", "last_sequence"])
            .values_panic([1.into(), 0_i64.into()])
            .to_owned();
        let events = Table::create()
            .table("event")
            .col(ColumnDef::new("sequence").big_integer().not_null().primary_key())
            .col(schema::string("event_id"))
            .col(schema::string("event_name"))
            .col(schema::text("event_value"))
            .col(schema::big_integer("member_id"))
            .col(schema::integer("sell_client"))
            .col(schema::string("device_no"))
            .col(schema::string("campaign"))
            .col(schema::string("channel"))
            .col(schema::string("day"))
            .col(schema::big_integer("received_at"))
            .to_owned();
        let counts = Table::create()
            .table("event_count")
            .col(schema::string("day"))
            .col(schema::string("event_name"))
            .col(schema::string("campaign"))
            .col(schema::string("channel"))
            .col(schema::integer("sell_client"))
            .col(schema::big_integer("events"))
            .primary_key(
                Index::create()
                    .col("day")
                    .col("event_name")
                    .col("campaign")
                    .col("channel")
                    .col("sell_client"),
            )
            .to_owned();
        let sinks = Table::create()
            .table("sink")
            .col(schema::string("name").primary_key())
            .col(schema::big_integer("from_sequence"))
            .col(schema::big_integer("position"))
            .col(schema::big_integer("delivered"))
            .col(schema::integer("failed_attempts"))
            .col(schema::text("last_error"))
            .col(schema::big_integer("last_delivered_at"))
            .col(schema::string("lease_owner"))
            .col(schema::big_integer("lease_until"))
            .to_owned();
        let letters = Table::create()
            .table("dead_letter")
            .col(schema::string("sink"))
            .col(schema::big_integer("sequence"))
            .col(schema::text("reason"))
            .col(schema::big_integer("died_at"))
            .col(schema::boolean("replaying"))
            .primary_key(Index::create().col("sink").col("sequence"))
            .to_owned();
        manager.create_table(log).await?;
        manager.exec_stmt(first).await?;
        for table in [events, counts, sinks, letters] {
            manager.create_table(table).await?;
        }
        for (name, columns) in [
            // What makes an event count once: answered from the index alone.
            ("event_by_id", &["event_id", "received_at"]),
            ("event_by_name", &["event_name", "sequence"]),
        ] {
            let mut index = Index::create().name(name).table("event").to_owned();
            for column in columns {
                index.col(*column);
            }
            manager.create_index(index).await?;
        }
        // Most events are visitors'.
        let of_members =
            "CREATE INDEX event_by_member ON event (member_id, sequence) WHERE member_id > 0";
        manager.get_connection().execute_unprepared(of_members).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["dead_letter", "sink", "event_count", "event", "attribution_log"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
