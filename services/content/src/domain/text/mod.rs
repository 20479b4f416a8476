//! Plain and HTML texts in both languages.

mod bidi;
pub(crate) mod html_pieces;
mod no_break;
mod reading_time;

pub use bidi::{isolate_numbers, isolate_numbers_in_html};
pub use reading_time::reading_minutes;
