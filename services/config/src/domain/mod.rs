//! Domain types and rules of configuration, without tonic and SQL.

mod fees;
mod group;
mod item;
mod menu;
mod switch;
mod urls;

pub use fees::check_fees;
pub use group::{Group, urls_of};
pub use item::{ItemKey, MAX_KEYS, check_value, item_keys, keys_of, parse_key, tags_of_key};
pub use menu::{Placeholders, check_menu, filled};
pub use switch::SwitchChange;
pub use urls::UrlKey;
