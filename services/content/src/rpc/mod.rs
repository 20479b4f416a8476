//! The service's calls: wire messages made into the domain's types and back.

mod asked;
mod college;
mod college_convert;
mod convert;
mod drafts;
mod flash;
mod help;
mod help_convert;
mod images;
mod import;
mod media;
mod news;
mod search;
mod stocks;
mod videos;

pub(crate) use college::CollegeCalls;
pub(crate) use drafts::DraftCalls;
pub(crate) use flash::FlashCalls;
pub(crate) use help::HelpCalls;
pub(crate) use images::ImageCalls;
pub(crate) use import::ImportCalls;
pub(crate) use media::MediaCalls;
pub(crate) use news::{NewsCalls, Reading};
pub(crate) use search::SearchCalls;
pub(crate) use stocks::StockCalls;
pub(crate) use videos::VideoCalls;
