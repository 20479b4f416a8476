//! The rpcs of the service: conversion between proto and domain types.

mod convert;
mod feedback;
mod member;
mod passport;
mod session;
mod upload_memory;

pub(crate) use feedback::FeedbackRpc;
pub(crate) use member::{AccountRpc, MemberRpc};
pub(crate) use passport::PassportRpc;
pub(crate) use session::SessionRpc;

use tonic::{Response, Status};

/// Maximum number of ids or tickets of a call.
const MAX_BATCH: usize = 100;

type RpcResult<T> = Result<Response<T>, Status>;
