//! Larger files of an article's picture.
use sea_orm_migration::prelude::*;

use crate::store::entities::article_text as text;

pub(crate) struct LargerPictures;

impl MigrationName for LargerPictures {
    fn name(&self) -> &str {
        "content_0006_larger_pictures"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for LargerPictures {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for column in [text::Column::ImageX2, text::Column::ImageX3] {
            let table = Table::alter()
                .table(text::Entity)
                .add_column(ColumnDef::new(column).string_len(32))
                .take();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}
