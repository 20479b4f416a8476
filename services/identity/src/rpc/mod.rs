//! The rpcs of the service: conversion between proto and domain types.

mod convert;
mod feedback;
mod member;
mod passport;
mod session;
mod upload_memory;
mod validate;

pub(crate) use feedback::FeedbackRpc;
pub(crate) use member::{AccountRpc, MemberRpc};
pub(crate) use passport::PassportRpc;
pub(crate) use session::SessionRpc;

use tonic::{Response, Status};

type RpcResult<T> = Result<Response<T>, Status>;
