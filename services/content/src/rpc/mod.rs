//! The rpcs of the service: validation of requests and conversion between wire messages and domain
//! types.

mod convert;
mod drafts;
mod education;
mod entries;
mod help;
mod images;
mod import;
mod media;
mod news;
mod recommendations;
mod search;
mod validate;

pub(crate) use drafts::DraftCalls;
pub(crate) use education::CollegeCalls;
pub(crate) use entries::Entries;
pub(crate) use help::HelpCalls;
pub(crate) use images::ImageCalls;
pub(crate) use import::ImportCalls;
pub(crate) use media::MediaCalls;
pub(crate) use news::{FlashCalls, NewsCalls, NewsVideoCalls, StockCalls};
pub(crate) use search::SearchCalls;
