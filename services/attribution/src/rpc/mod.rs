//! The rpcs of the service: conversion between wire messages and domain types.

mod convert;
mod events;
mod sinks;
mod statistics;
mod validate;

pub(crate) use events::EventRpc;
pub(crate) use sinks::SinkRpc;
pub(crate) use statistics::StatisticsRpc;

type RpcResult<T> = Result<tonic::Response<T>, tonic::Status>;
