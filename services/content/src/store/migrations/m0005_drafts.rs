//! The table of texts that are not published.
use sea_orm_migration::prelude::*;

use crate::store::entities::draft;

pub(crate) struct Drafts;

impl MigrationName for Drafts {
    fn name(&self) -> &str {
        "content_0005_drafts"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Drafts {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(drafts()).await
    }
}

fn drafts() -> TableCreateStatement {
    use draft::Column::*;
    Table::create()
        .table(draft::Entity)
        .col(ColumnDef::new(DraftType).string_len(80).not_null())
        .col(ColumnDef::new(Kind).string_len(20).not_null())
        .col(ColumnDef::new(Id).big_integer().not_null())
        .col(ColumnDef::new(Locale).string_len(5).not_null())
        .col(ColumnDef::new(Position).big_integer().not_null())
        .col(ColumnDef::new(Slug).text().not_null())
        .col(ColumnDef::new(PublishedAt).big_integer().not_null())
        .col(ColumnDef::new(ImportedAt).big_integer().not_null())
        .col(ColumnDef::new(Data).text().not_null())
        .col(ColumnDef::new(BodyHtml).text().not_null())
        .primary_key(Index::create().col(DraftType).col(Kind).col(Id).col(Locale))
        .take()
}
