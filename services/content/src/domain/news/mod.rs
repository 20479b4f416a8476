//! News articles and their tabs, flash news, videos of the news page, and securities.

mod items;
mod market;
mod signature;
mod stock_names;

pub use items::{FlashNews, Image, NewsArticle, NewsTab, NewsVideo, Stock};
pub use market::{List, Market};
pub use signature::{ArticleSigner, SIGNATURE_SECONDS};
pub use stock_names::StockNames;
