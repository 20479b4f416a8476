//! Joining a campaign.

use sahm_chassis::error::{Error, Result};
use sea_orm::{EntityTrait, Set};

use super::{
    ActivityStore,
    campaigns::campaign_in,
    entities::participant::{ActiveModel, Column, Entity},
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
    /// Joins a campaign at `now`, once. Deposits recorded earlier issue their tickets.
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
                let row = ActiveModel {
                    activity_id: Set(key(activity_id)?),
                    member_id: Set(key(member)?),
                    inviter_id: Set(inviter.map(key).transpose()?),
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
