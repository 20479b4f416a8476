//! Calls over the store: proto ↔ domain.

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

/// What a call gives, as tonic wants it.
fn answer<T>(outcome: sahm_chassis::Result<T>) -> Answer<T> {
    outcome.map(Response::new).map_err(Status::from)
}
