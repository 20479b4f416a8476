//! Plain types and rules of what the site publishes: no wire types, no SQL.

mod article;
mod cursor;
mod entry;
mod entry_record;
pub mod lists;
mod market;
mod media;
mod name;
mod page;
mod place;
mod reading;
mod record;
mod tab;
pub mod tags;

pub use article::{Article, ArticleRef, Image, MAX_ID, NewsText, Summary, is_id};
pub use cursor::{Cursor, CursorError};
pub use entry::{
    Bilingual, Course, Entry, Group, Head, Level, Picture, Shelf, Synonyms, Text, Video,
};
pub use entry_record::{EntryRecord, id_for};
pub use market::{List, Market};
pub use media::{Media, MediaName, MediaType};
pub use name::{Name, is_slug};
pub use page::{PAGE_SIZE, PAGE_SIZE_MAX, Page, page_size};
pub use place::Place;
pub use reading::reading_minutes;
pub use record::{Fault, ImageAsk, NewsHead, NewsRecord, TabRecord};
pub use sahm_proto::Locale;
pub use tab::Tab;
