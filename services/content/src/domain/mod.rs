//! Types and rules of the published content, independent of wire types and SQL.

mod contents;
mod cursor;
mod draft;
mod education;
mod entry;
mod entry_lists;
mod entry_parts;
mod entry_record;
mod help;
mod id_or_slug;
mod images;
mod kind;
pub mod lists;
mod media;
mod news;
mod page;
mod reader;
mod record_fields;
mod search;
pub mod tags;
pub(crate) mod text;
mod written_time;

pub use contents::Contents;
pub use cursor::Cursor;
pub use draft::{DraftName, DraftType, MAX_DRAFTS, draft_label};
pub use education::{CollegeVideo, Course, Level};
pub use entry::{Entry, EntryData, EntryKey};
pub use entry_parts::{Bilingual, Group, Picture, Text};
pub use entry_record::EntryRecord;
pub use id_or_slug::{IdOrSlug, is_slug};
pub use images::{Banner, DisplayPeriod, article_of};
pub use kind::EntryKind;
pub use media::{Caption, Larger, Media, MediaName, MediaType, Playback, RecordFiles, VideoSource};
pub use news::{
    ArticleSigner, FlashNews, Image, List, MAX_ID, Market, NewsArticle, NewsRecord, NewsTab,
    NewsVideo, SIGNATURE_SECONDS, Stock, StockNames, TabRecord, is_id,
};
pub use page::{MAX_PAGE_SIZE, PAGE_SIZE, Page};
pub use reader::{member_reader, visitor_reader};
pub use record_fields::{FieldError, id_for};
pub use sahm_proto::Locale;
pub use search::{SearchDocument, Synonyms};
pub use text::{isolate_numbers, isolate_numbers_in_html, reading_minutes};
pub use written_time::WrittenTime;
