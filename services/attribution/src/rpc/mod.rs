//! The rpcs of the service: conversion between wire messages and domain types.

mod convert;
mod events;
mod sinks;
mod statistics;

pub(crate) use events::EventRpc;
pub(crate) use sinks::SinkRpc;

const PAGE_SIZE: u32 = 20;
const MAX_PAGE_SIZE: u32 = 100;

type RpcResult<T> = Result<tonic::Response<T>, tonic::Status>;

fn page_size(requested: u32) -> sahm_chassis::Result<u32> {
    sahm_chassis::validate::page_size(requested, PAGE_SIZE, MAX_PAGE_SIZE)
}
