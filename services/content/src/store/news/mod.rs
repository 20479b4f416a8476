//! News articles and tabs.

mod read;
pub(crate) mod rows;
mod withdraw;

pub use read::Visible;
