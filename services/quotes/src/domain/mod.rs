//! Domain types and rules of market data, without tonic, SQL and network.

mod announcement;
mod codes;
mod corporate_event;
mod data_type;
mod decimal;
mod hours;
mod index;
mod movers;
mod quote;
mod records;
mod security;
mod series;

pub use announcement::{Announcement, AnnouncementText};
pub use codes::{SecurityCode, codes_of};
pub use corporate_event::{CorporateEvent, CorporateEventType, DateRange};
pub use data_type::{DataType, Market};
pub use decimal::{Decimal, ZERO, cents, decimal, ratio, to_cents};
pub use hours::{
    CALENDAR_WARNING_DAYS, Calendar, CalendarError, MarketTime, NoTradingDay, Session, TradingDay,
};
pub use index::{INDICES, Index, IndexQuote};
pub use movers::{Breadth, Movers, breadth, movers};
pub use quote::{Change, Extended, Quote};
pub use records::{LineError, announcements_of, securities_of};
pub use security::{Catalogue, Security, Status};
pub use series::{DaySeries, SeriesSubject};
