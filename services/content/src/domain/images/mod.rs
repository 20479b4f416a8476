//! Banners at positions of pages.

mod banner;
mod display_period;
mod record;

pub use banner::{Banner, article_of};
pub use display_period::DisplayPeriod;
pub(crate) use record::BannerRecord;
