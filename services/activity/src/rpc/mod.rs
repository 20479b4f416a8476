//! The rpcs of the service: conversion between proto and domain types.

mod campaigns;
mod convert;
mod draws;
mod invitations;
mod participants;
mod validate;

pub(crate) use campaigns::CampaignCalls;
pub(crate) use draws::DrawCalls;
pub(crate) use invitations::InvitationCalls;
pub(crate) use participants::ParticipantCalls;

use tonic::{Response, Status};

type Answer<T> = Result<Response<T>, Status>;
