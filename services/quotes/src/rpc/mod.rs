//! The service's calls: proto ↔ domain.

mod announcements;
mod convert;
mod quotes;
mod stream;

pub use announcements::AnnouncementRpc;
pub(crate) use convert::quote_message;
pub use quotes::QuoteRpc;
pub use stream::QuoteServer;

type Answer<T> = Result<tonic::Response<T>, tonic::Status>;
