//! Readings and likes of news articles move to the counts of all else, and readers are counted
//! once.
use sea_orm_migration::prelude::*;

use crate::store::entities::entry_reader as reader;

pub(crate) struct Boards;

impl MigrationName for Boards {
    fn name(&self) -> &str {
        "content_0004_boards"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Boards {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(readers()).await?;
        let db = manager.get_connection();
        let moved = "INSERT INTO entry_count (shelf, id, reads, likes) \
                     SELECT 'news', id, count, 0 FROM article_read";
        db.execute_unprepared(moved).await?;
        let table = Table::drop().table(Alias::new("article_read")).take();
        manager.drop_table(table).await
    }
}

fn readers() -> TableCreateStatement {
    use reader::Column::*;
    Table::create()
        .table(reader::Entity)
        .col(ColumnDef::new(Kind).string_len(20).not_null())
        .col(ColumnDef::new(Id).big_integer().not_null())
        .col(ColumnDef::new(Reader).string_len(140).not_null())
        .primary_key(Index::create().col(Kind).col(Id).col(Reader))
        .take()
}
