//! Domain types and rules.

mod amount;
mod campaign;
mod channel;
mod deposit;
mod draw;
mod figures;
mod gcc;
mod invite_code;
mod text;

pub use amount::Amount;
pub use campaign::{Campaign, Info, Kind, NATIONAL_DAY, Passage, State, Theme};
pub use channel::ShareChannel;
pub use deposit::{Currency, Deposit, Deposited, entitled};
pub use draw::{Draw, DrawId, DrawState, Seed, drawn, tickets_hash};
pub use figures::{CampaignFigures, Standard};
pub use gcc::{GCC, GccCountry, GccRule, country_code};
pub use invite_code::{Checked, InviteCode, link};
pub use text::Text;
