//! Plain types and rules of what the site publishes: no wire types, no SQL.

mod article;
mod cursor;
mod market;
mod media;
mod page;
mod reading;
mod record;
mod tab;
pub mod tags;

pub use article::{Article, ArticleRef, Image, MAX_ID, NewsText, Summary, is_id};
pub use cursor::{Cursor, CursorError};
pub use market::{List, Market};
pub use media::{Media, MediaName, MediaType};
pub use page::{PAGE_SIZE, PAGE_SIZE_MAX, Page, page_size};
pub use reading::reading_minutes;
pub use record::{Fault, ImageAsk, NewsHead, NewsRecord, TabRecord};
pub use sahm_proto::Locale;
pub use tab::Tab;
