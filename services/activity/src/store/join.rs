//! Joining a campaign.

use sahm_chassis::error::{Error, Result};
use sea_orm::{DatabaseTransaction, EntityTrait, QuerySelect, Set};

use super::{
    ActivityStore,
    campaigns::campaign_in,
    entities::{
        invite_code,
        participant::{ActiveModel, Column, Entity},
    },
    key,
    participants::{Participant, participant_in},
    tickets,
};
use crate::domain::State;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Join {
    /// The participant, new or existing, with the state of the campaign.
    Joined(Participant, State),
    NotActive(State),
    NoCampaign,
}

impl ActivityStore {
    /// Joins a campaign at `now`, once, with the inviter to whom an invitation code belongs.
    /// Deposits recorded earlier issue their tickets.
    pub async fn join(
        &self,
        member: u64,
        activity_id: u64,
        inviter: Option<u64>,
        now: u32,
    ) -> Result<Join> {
        self.store
            .write(async |tx| {
                let Some(campaign) = campaign_in(tx, activity_id).await? else {
                    return Ok(Join::NoCampaign);
                };
                let state = campaign.state(now);
                if let Some(participant) = participant_in(tx, activity_id, member).await? {
                    return Ok(Join::Joined(participant, state));
                }
                if state != State::Active {
                    return Ok(Join::NotActive(state));
                }
                let inviter = match inviter {
                    Some(inviter) => lock_inviter(tx, inviter).await?,
                    None => None,
                };
                let row = ActiveModel {
                    activity_id: Set(key(activity_id)?),
                    member_id: Set(key(member)?),
                    inviter_id: Set(inviter),
                    joined_at: Set(now.into()),
                    ..Default::default()
                };
                // The member may join concurrently on another replica.
                Entity::insert(row)
                    .on_conflict_do_nothing_on([Column::ActivityId, Column::MemberId])
                    .exec_without_returning(tx)
                    .await?;
                tickets::issue_for_joining(tx, &campaign, member, now).await?;
                let participant = participant_in(tx, activity_id, member).await?;
                let missing = || Error::internal("a new participant is not there");
                Ok(Join::Joined(participant.ok_or_else(missing)?, state))
            })
            .await
    }
}

/// The key of an inviter; `None` if the member was erased after the request named the code. The
/// code is locked, so that a later erasure waits and also removes the inviter of this join.
async fn lock_inviter(tx: &DatabaseTransaction, inviter: u64) -> Result<Option<i64>> {
    let code = invite_code::Entity::find_by_id(key(inviter)?).lock_shared().one(tx).await?;
    Ok(code.map(|code| code.member_id))
}
