//! The service's calls: wire messages made into the domain's types and back.

mod convert;
mod media;
mod news;

pub(crate) use media::MediaCalls;
pub(crate) use news::NewsCalls;
