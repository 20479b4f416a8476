//! Domain types and rules of events, without tonic and SQL.

mod count;
mod day;
mod event;
mod retry;

pub use count::{CountQuery, Dimension};
pub use day::{day_of, parse_day};
pub use event::{Draft, Event, NewEvent, checked, is_event_id, new_event_id};
pub use retry::{DeliveryOutcome, backoff, outcome_of};

/// Deduplication window of event ids, in seconds.
pub const COUNTS_ONCE_SECONDS: u64 = 48 * 3600;
