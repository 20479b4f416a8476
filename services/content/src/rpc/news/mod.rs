//! News articles, flash news, videos of the news page, and securities.

mod articles;
mod flash;
mod stocks;
mod videos;

pub(crate) use articles::NewsCalls;
pub(crate) use flash::FlashCalls;
pub(crate) use stocks::StockCalls;
pub(crate) use videos::NewsVideoCalls;
