//! Types and rules of the published content, independent of wire types and SQL.

mod draft;
mod education;
mod entry;
mod entry_lists;
mod entry_parts;
mod fields;
mod id_or_slug;
mod images;
mod kind;
pub mod lists;
mod media;
mod news;
mod page;
mod playback;
mod reader;
mod record;
mod search;
pub(crate) mod text;
mod written_time;

pub use draft::{DraftName, DraftType, MAX_DRAFTS, draft_label};
pub use education::{CollegeVideo, Course, Level};
pub use entry::{Contents, Entry, EntryData, EntryKey, EntryKind};
pub use entry_parts::{Bilingual, Group, Text};
pub use fields::{FieldError, FieldValues, id_for};
pub use id_or_slug::{IdOrSlug, MAX_ID, is_id, is_slug};
pub use images::{Banner, DisplayPeriod, article_of};
pub use media::{Larger, Media, MediaName, MediaType, Picture, RecordFiles, VideoSource};
pub use news::{
    ArticleSigner, FlashNews, Image, List, Market, NewsArticle, NewsTab, NewsVideo,
    SIGNATURE_SECONDS, Stock, StockNames,
};
pub use page::{Cursor, MAX_PAGE_SIZE, PAGE_SIZE, Page};
pub use playback::{Caption, Playback};
pub use reader::{member_reader, visitor_reader};
pub use record::Record;
pub use sahm_proto::{Locale, tags};
pub use search::{SearchDocument, Synonyms};
pub use text::{isolate_numbers, isolate_numbers_in_html, reading_minutes};
