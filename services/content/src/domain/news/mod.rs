//! News articles and their tabs, flash news, videos of the news page, and securities.

mod article;
mod entry_records;
mod flash;
mod market;
mod record;
mod signature;
mod stock;
mod stock_names;
mod tab;
mod video;

pub use article::{Image, MAX_ID, NewsArticle, is_id};
pub(crate) use entry_records::{FlashRecord, NewsVideoRecord, StockRecord};
pub use flash::FlashNews;
pub use market::{List, Market};
pub use record::{NewsRecord, TabRecord};
pub use signature::{ArticleSigner, SIGNATURE_SECONDS};
pub use stock::Stock;
pub use stock_names::StockNames;
pub use tab::NewsTab;
pub use video::NewsVideo;
