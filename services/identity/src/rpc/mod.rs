//! The rpcs of the service: conversion between proto and domain types.

mod convert;
mod feedback;
mod member;
mod passport;
mod session;
mod upload_memory;
mod validate;

pub(crate) use feedback::FeedbackCalls;
pub(crate) use member::{AccountCalls, MemberCalls};
pub(crate) use passport::PassportCalls;
pub(crate) use session::SessionCalls;

use tonic::{Response, Status};

type Answer<T> = Result<Response<T>, Status>;
