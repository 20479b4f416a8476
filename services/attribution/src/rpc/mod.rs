//! The rpcs of the service: conversion between wire messages and domain types.

mod convert;
mod events;
mod sinks;
mod statistics;

pub(crate) use events::EventRpc;
pub(crate) use sinks::SinkRpc;

type RpcResult<T> = Result<tonic::Response<T>, tonic::Status>;
