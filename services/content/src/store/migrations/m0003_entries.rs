//! The tables of the college, the help centre and the search.
use sea_orm_migration::prelude::*;

use crate::store::entities::{
    entry, entry_count as count, entry_like as like, entry_listing as listing, video_view as view,
};

pub(crate) struct Entries;

impl MigrationName for Entries {
    fn name(&self) -> &str {
        "content_0003_entries"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Entries {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(entries()).await?;
        manager.create_index(by_slug()).await?;
        manager.create_table(listings()).await?;
        manager.create_index(by_item()).await?;
        manager.create_index(by_time()).await?;
        manager.create_table(counts()).await?;
        manager.create_table(likes()).await?;
        manager.create_table(views()).await
    }
}

fn entries() -> TableCreateStatement {
    use entry::Column::*;
    Table::create()
        .table(entry::Entity)
        .col(ColumnDef::new(Kind).string_len(20).not_null())
        .col(ColumnDef::new(Id).big_integer().not_null())
        .col(ColumnDef::new(Locale).string_len(5).not_null())
        .col(ColumnDef::new(Slug).text().not_null())
        .col(ColumnDef::new(PublishedAt).big_integer().not_null())
        .col(ColumnDef::new(UpdatedAt).big_integer().not_null())
        .col(ColumnDef::new(Data).text().not_null())
        .col(ColumnDef::new(BodyHtml).text().not_null())
        .primary_key(Index::create().col(Kind).col(Id).col(Locale))
        .take()
}

fn by_slug() -> IndexCreateStatement {
    Index::create()
        .name("entry_slug")
        .table(entry::Entity)
        .col(entry::Column::Kind)
        .col(entry::Column::Slug)
        .take()
}

fn listings() -> TableCreateStatement {
    use listing::Column::*;
    Table::create()
        .table(listing::Entity)
        .col(ColumnDef::new(List).string_len(40).not_null())
        .col(ColumnDef::new(Locale).string_len(5).not_null())
        .col(ColumnDef::new(Rank).big_integer().not_null())
        .col(ColumnDef::new(Id).big_integer().not_null())
        .col(ColumnDef::new(Kind).string_len(20).not_null())
        .col(ColumnDef::new(PublishedAt).big_integer().not_null())
        .primary_key(Index::create().col(List).col(Locale).col(Rank).col(Id))
        .take()
}

/// Finds what stands in the lists when an entry leaves them.
fn by_item() -> IndexCreateStatement {
    Index::create()
        .name("entry_listing_item")
        .table(listing::Entity)
        .col(listing::Column::Kind)
        .col(listing::Column::Id)
        .col(listing::Column::Locale)
        .take()
}

/// Finds what enters a list next.
fn by_time() -> IndexCreateStatement {
    Index::create()
        .name("entry_listing_time")
        .table(listing::Entity)
        .col(listing::Column::List)
        .col(listing::Column::Locale)
        .col(listing::Column::PublishedAt)
        .take()
}

fn counts() -> TableCreateStatement {
    use count::Column::*;
    Table::create()
        .table(count::Entity)
        .col(ColumnDef::new(Kind).string_len(20).not_null())
        .col(ColumnDef::new(Id).big_integer().not_null())
        .col(ColumnDef::new(Reads).big_integer().not_null())
        .col(ColumnDef::new(Likes).big_integer().not_null())
        .primary_key(Index::create().col(Kind).col(Id))
        .take()
}

fn likes() -> TableCreateStatement {
    use like::Column::*;
    Table::create()
        .table(like::Entity)
        .col(ColumnDef::new(Kind).string_len(20).not_null())
        .col(ColumnDef::new(Id).big_integer().not_null())
        .col(ColumnDef::new(Voter).string_len(140).not_null())
        .primary_key(Index::create().col(Kind).col(Id).col(Voter))
        .take()
}

fn views() -> TableCreateStatement {
    use view::Column::*;
    Table::create()
        .table(view::Entity)
        .col(ColumnDef::new(Id).big_integer().not_null())
        .col(ColumnDef::new(Viewer).string_len(140).not_null())
        .col(ColumnDef::new(Position).big_integer().not_null())
        .col(ColumnDef::new(Duration).big_integer().not_null())
        .col(ColumnDef::new(ViewedAt).big_integer().not_null())
        .primary_key(Index::create().col(Id).col(Viewer))
        .take()
}
