//! The rpcs of the service: conversion between wire messages and domain types.

mod convert;
mod events;
mod sinks;
mod statistics;
mod validate;

pub(crate) use events::EventCalls;
pub(crate) use sinks::SinkCalls;
pub(crate) use statistics::StatisticsCalls;

type Answer<T> = Result<tonic::Response<T>, tonic::Status>;
