//! Plain rules of configuration: no tonic, no SQL.

mod bundle;
mod fees;
mod item;
mod menu;

pub use bundle::{Bundle, CountryRow, ItemRow};
pub use fees::check_fees;
pub use item::{ItemKey, check_value, keys_of, tags_of_key};
pub use menu::{Placeholders, check_menu, filled};
