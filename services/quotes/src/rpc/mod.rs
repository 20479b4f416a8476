//! The rpcs of the service: conversion between proto and domain types.

mod announcements;
mod markets;
mod quotes;
mod stream;
mod validate;

pub use announcements::AnnouncementRpc;
pub(crate) use markets::MarketRpc;
pub use quotes::QuoteRpc;
pub use stream::QuoteServer;

type RpcResult<T> = Result<tonic::Response<T>, tonic::Status>;
