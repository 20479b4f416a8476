//! The rpcs of the service: conversion between proto and domain types.

mod announcements;
mod markets;
mod quotes;
mod validate;

pub(crate) use announcements::AnnouncementRpc;
pub(crate) use markets::MarketRpc;
pub(crate) use quotes::QuoteRpc;

type RpcResult<T> = Result<tonic::Response<T>, tonic::Status>;
