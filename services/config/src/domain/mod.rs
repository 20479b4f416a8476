//! Plain rules of configuration: no tonic, no SQL.

mod bundle;
mod fees;
mod item;
mod menu;

pub use bundle::{Bundle, CountryRow, ItemRow};
pub use fees::check_fees;
pub use item::{ItemKey, check_value, keys_of, tags_of_key};
pub use menu::{Placeholders, check_menu, filled};

/// Surrogate tags of what this service owns; gateways put the same on what they make from it.
pub mod tags {
    /// The menu.
    pub const MENU: &str = "config:menu";
    /// Web config items.
    pub const ITEMS: &str = "config:items";
    /// Where the app is to be had.
    pub const STORES: &str = "config:stores";
    /// The fee schedule.
    pub const FEES: &str = "config:fees";
    /// Countries and telephone codes.
    pub const COUNTRIES: &str = "config:countries";
}
