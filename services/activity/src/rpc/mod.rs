//! The rpcs of the service: conversion between proto and domain types.

mod campaigns;
mod convert;
mod draws;
mod invitations;
mod participants;
mod validate;

pub(crate) use campaigns::CampaignRpc;
pub(crate) use draws::DrawRpc;
pub(crate) use invitations::InvitationRpc;
pub(crate) use participants::ParticipantRpc;

use tonic::{Response, Status};

type RpcResult<T> = Result<Response<T>, Status>;
