//! The rpcs of the service: validation of requests and conversion between wire messages and domain
//! types.

mod convert;
mod drafts;
mod education;
mod entries;
mod help;
mod images;
mod import;
mod media;
mod news;
mod recommendations;
mod search;
mod validate;

pub(crate) use entries::ContentRpc;
