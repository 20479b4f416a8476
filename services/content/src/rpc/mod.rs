//! The service's calls: wire messages made into the domain's types and back.

mod asked;
mod college;
mod college_convert;
mod convert;
mod help;
mod help_convert;
mod media;
mod news;
mod search;

pub(crate) use college::CollegeCalls;
pub(crate) use help::HelpCalls;
pub(crate) use media::MediaCalls;
pub(crate) use news::NewsCalls;
pub(crate) use search::SearchCalls;
