//! The tables of the content service, in the order in which they came to be.
mod m0003_entries;
mod m0004_counts;
mod m0005_drafts;
mod m0006_larger_pictures;

use sahm_chassis::changes;
use sea_orm_migration::prelude::*;

use crate::store::entities::{
    article_listing as listing, article_text as text, media, news_tab as tab, seed_mark as mark,
};

/// Brings a store of any earlier shape to the present one.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let mut migrations = changes::migrations();
        migrations.push(Box::new(News));
        migrations.push(Box::new(m0003_entries::Entries));
        migrations.push(Box::new(m0004_counts::Boards));
        migrations.push(Box::new(m0005_drafts::Drafts));
        migrations.push(Box::new(m0006_larger_pictures::LargerPictures));
        migrations
    }
}

struct News;

impl MigrationName for News {
    fn name(&self) -> &str {
        "m2026_11_21_000001_news"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for News {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(article_text()).await?;
        manager.create_table(article_listing()).await?;
        manager.create_index(article_listing_item()).await?;
        manager.create_table(article_read()).await?;
        manager.create_table(media_table()).await?;
        manager.create_table(news_tab()).await?;
        manager.create_table(seed_mark()).await
    }
}

fn article_text() -> TableCreateStatement {
    use text::Column::*;
    Table::create()
        .table(text::Entity)
        .col(ColumnDef::new(Id).big_integer().not_null())
        .col(ColumnDef::new(Locale).string_len(5).not_null())
        .col(ColumnDef::new(Sample).boolean().not_null())
        .col(ColumnDef::new(Market).string_len(8).not_null())
        .col(ColumnDef::new(Title).text().not_null())
        .col(ColumnDef::new(Summary).text().not_null())
        .col(ColumnDef::new(BodyHtml).text().not_null())
        .col(ColumnDef::new(PublishedAt).big_integer().not_null())
        .col(ColumnDef::new(UpdatedAt).big_integer().not_null())
        .col(ColumnDef::new(Author).text().not_null())
        .col(ColumnDef::new(ImageName).string_len(32))
        .col(ColumnDef::new(ImageAlt).text().not_null())
        .col(ColumnDef::new(ImageWidth).big_integer().not_null())
        .col(ColumnDef::new(ImageHeight).big_integer().not_null())
        .col(ColumnDef::new(ReadingMinutes).big_integer().not_null())
        .primary_key(Index::create().col(Id).col(Locale))
        .take()
}

fn article_listing() -> TableCreateStatement {
    use listing::Column::*;
    Table::create()
        .table(listing::Entity)
        .col(ColumnDef::new(List).string_len(8).not_null())
        .col(ColumnDef::new(Locale).string_len(5).not_null())
        .col(ColumnDef::new(PublishedAt).big_integer().not_null())
        .col(ColumnDef::new(Id).big_integer().not_null())
        .primary_key(Index::create().col(List).col(Locale).col(PublishedAt).col(Id))
        .take()
}

/// Finds what stands in the lists when an article leaves them.
fn article_listing_item() -> IndexCreateStatement {
    Index::create()
        .name("article_listing_item")
        .table(listing::Entity)
        .col(listing::Column::Id)
        .col(listing::Column::Locale)
        .take()
}

fn article_read() -> TableCreateStatement {
    Table::create()
        .table(Alias::new("article_read"))
        .col(ColumnDef::new(Alias::new("id")).big_integer().not_null().primary_key())
        .col(ColumnDef::new(Alias::new("count")).big_integer().not_null())
        .take()
}

fn media_table() -> TableCreateStatement {
    use media::Column::*;
    Table::create()
        .table(media::Entity)
        .col(ColumnDef::new(Name).string_len(32).not_null().primary_key())
        .col(ColumnDef::new(ContentType).string_len(32).not_null())
        .col(ColumnDef::new(Body).blob().not_null())
        .take()
}

fn news_tab() -> TableCreateStatement {
    use tab::Column::*;
    Table::create()
        .table(tab::Entity)
        .col(ColumnDef::new(Id).big_integer().not_null().primary_key())
        .col(ColumnDef::new(Name).text().not_null())
        .col(ColumnDef::new(NameSa).text().not_null())
        .col(ColumnDef::new(Market).string_len(8).not_null())
        .col(ColumnDef::new(Position).big_integer().not_null())
        .take()
}

fn seed_mark() -> TableCreateStatement {
    use mark::Column::*;
    Table::create()
        .table(mark::Entity)
        .col(ColumnDef::new(Kind).string_len(32).not_null().primary_key())
        .col(ColumnDef::new(SeededAt).big_integer().not_null())
        .take()
}
