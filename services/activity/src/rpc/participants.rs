//! `sahm.activity.v1.ParticipantService`.

use sahm_chassis::{Error, ErrorCode, Result, caller, clock::Clock, cursor};
use sahm_proto::{
    Locale,
    activity::v1::{self as proto, participant_service_server::ParticipantService},
};
use tonic::{Request, Response};

use super::{RpcResult, convert, validate};
use crate::{
    domain::{Checked, Deposit, InviteCode, State, Text, country_code},
    store::{ActivityStore, Join, Recorded},
};

/// Tolerated clock skew of the booking team.
const MAX_CLOCK_SKEW_SECONDS: u32 = 300;

const DEFAULT_COUNTRY: &str = "SAU";

pub(crate) struct ParticipantRpc {
    pub(crate) store: ActivityStore,
    pub(crate) clock: Clock,
}

impl ParticipantRpc {
    /// The member to whom the given code belongs.
    async fn inviter(&self, member: u64, text: &str) -> Result<Option<u64>> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let refused = |why: Text| Error::field("invite_code", why.en);
        let code = InviteCode::parse(text).ok_or_else(|| refused(Checked::Invalid.text()))?;
        match self.store.member_of_code(&code).await? {
            None => Err(refused(Checked::Unknown.text())),
            Some(inviter) if inviter == member => Err(refused(Checked::Invalid.text())),
            Some(inviter) => Ok(Some(inviter)),
        }
    }
}

#[tonic::async_trait]
impl ParticipantService for ParticipantRpc {
    async fn join_campaign(
        &self,
        request: Request<proto::JoinCampaignRequest>,
    ) -> RpcResult<proto::JoinCampaignResponse> {
        let request = request.into_inner();
        let member = caller::current().require_member()?;
        let activity_id = validate::activity(request.activity_id)?;
        let inviter = self.inviter(member, &request.invite_code).await?;
        let (participant, state) =
            match self.store.join(member, activity_id, inviter, self.clock.now()).await? {
                Join::Joined(participant, state) => (Some(participant), Some(state)),
                Join::NotActive(state) => (None, Some(state)),
                Join::NoCampaign => (None, None),
            };
        let why = state.filter(|_| participant.is_none()).map(State::text);
        let text = why.unwrap_or_default();
        Ok(Response::new(proto::JoinCampaignResponse {
            id: participant.as_ref().map(|one| one.id),
            joined: participant.is_some(),
            joined_at: participant.map_or(0, |one| one.joined_at),
            state: state.map(|state| state.into_str()).unwrap_or_default().to_owned(),
            text: text.in_locale(Locale::parse_or_english(&request.locale)).to_owned(),
        }))
    }

    async fn get_assets_standard(
        &self,
        request: Request<proto::GetAssetsStandardRequest>,
    ) -> RpcResult<proto::GetAssetsStandardResponse> {
        let activity_id = request.into_inner().activity_id;
        let member = caller::current().require_member()?;
        let found = self.store.campaign(validate::activity(activity_id)?).await?;
        let Some(campaign) = found else {
            return Ok(Response::new(proto::GetAssetsStandardResponse::default()));
        };
        let (joined, deposited) = tokio::try_join!(
            self.store.participant(campaign.id, member),
            self.store.deposited(member, campaign.begin, campaign.end),
        )?;
        let thresholds = (1..).zip(&campaign.figures.standards).map(|(number, standard)| {
            proto::AssetsThreshold {
                id: i32::to_string(&number),
                sar: standard.sar.to_string(),
                usd: standard.usd.to_string(),
                reached: deposited.reaches(standard),
            }
        });
        Ok(Response::new(proto::GetAssetsStandardResponse {
            id: Some(campaign.id),
            joined: joined.is_some(),
            deposited_sar: deposited.sar.to_string(),
            deposited_usd: deposited.usd.to_string(),
            thresholds: thresholds.collect(),
        }))
    }

    async fn get_member_country_code(
        &self,
        _: Request<proto::GetMemberCountryCodeRequest>,
    ) -> RpcResult<proto::GetMemberCountryCodeResponse> {
        let member = caller::current().require_member()?;
        let country = self.store.country(member).await?;
        let country_code = country.unwrap_or_else(|| DEFAULT_COUNTRY.to_owned());
        Ok(Response::new(proto::GetMemberCountryCodeResponse { id: member, country_code }))
    }

    async fn set_member_country(
        &self,
        request: Request<proto::SetMemberCountryRequest>,
    ) -> RpcResult<proto::SetMemberCountryResponse> {
        let request = request.into_inner();
        let member = validate::member(request.member)?;
        let code = country_code(&request.country_code)
            .ok_or_else(|| Error::field("country_code", "three capital letters, as SAU"))?;
        self.store.set_country(member, code).await?;
        Ok(Response::new(proto::SetMemberCountryResponse {
            id: member,
            country_code: code.to_owned(),
        }))
    }

    async fn record_deposit(
        &self,
        request: Request<proto::RecordDepositRequest>,
    ) -> RpcResult<proto::RecordDepositResponse> {
        let deposit = request.into_inner().deposit;
        let deposit = deposit.ok_or_else(|| Error::field("deposit", "must be given"))?;
        let deposit = Deposit::check(
            &deposit.id,
            deposit.member,
            &deposit.amount,
            &deposit.currency,
            deposit.deposited_at,
        )?;
        let now = self.clock.now();
        if deposit.deposited_at > now.saturating_add(MAX_CLOCK_SKEW_SECONDS) {
            return Err(Error::field("deposit.deposited_at", "must not lie in the future").into());
        }
        let recorded = self.store.record(&deposit, now).await?;
        let (counted, tickets) = match recorded {
            Recorded::Counted(tickets) => (true, tickets),
            Recorded::Repeated => (false, 0),
        };
        Ok(Response::new(proto::RecordDepositResponse { id: deposit.id, counted, tickets }))
    }

    async fn list_participants(
        &self,
        request: Request<proto::ListParticipantsRequest>,
    ) -> RpcResult<proto::ListParticipantsResponse> {
        let request = request.into_inner();
        let activity_id = validate::activity(request.activity_id)?;
        let size = validate::list_size(request.size)?;
        self.store.known_campaign(activity_id).await?;
        let list = format!("participants:{activity_id}");
        let after = cursor::decode(&list, &request.cursor)?.unwrap_or(request.after_id);
        let mut found = self.store.participants(activity_id, after, u64::from(size) + 1).await?;
        let next_cursor = cursor::cut(&list, &mut found, size as usize, |last| last.id);
        let items = found.into_iter().map(convert::participant).collect();
        Ok(Response::new(proto::ListParticipantsResponse { items, next_cursor }))
    }

    async fn get_participant(
        &self,
        request: Request<proto::GetParticipantRequest>,
    ) -> RpcResult<proto::GetParticipantResponse> {
        let id = request.into_inner().id;
        let found = self.store.participants_by_id(&[id]).await?.pop();
        let found = found.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(proto::GetParticipantResponse {
            participant: Some(convert::participant(found)),
        }))
    }

    async fn batch_get_participants(
        &self,
        request: Request<proto::BatchGetParticipantsRequest>,
    ) -> RpcResult<proto::BatchGetParticipantsResponse> {
        let ids = request.into_inner().ids;
        let found = self.store.participants_by_id(validate::batch(&ids)?).await?;
        let items = found.into_iter().map(convert::participant).collect();
        Ok(Response::new(proto::BatchGetParticipantsResponse { items }))
    }

    async fn list_member_campaigns(
        &self,
        request: Request<proto::ListMemberCampaignsRequest>,
    ) -> RpcResult<proto::ListMemberCampaignsResponse> {
        let member = request.into_inner().member;
        let found = self.store.joined_by(validate::member(member)?).await?;
        let items = found.into_iter().map(convert::participant).collect();
        Ok(Response::new(proto::ListMemberCampaignsResponse { items }))
    }

    async fn list_deposits(
        &self,
        request: Request<proto::ListDepositsRequest>,
    ) -> RpcResult<proto::ListDepositsResponse> {
        let request = request.into_inner();
        let member = validate::member(request.member)?;
        let size = validate::list_size(request.size)?;
        let list = format!("deposits:{member}");
        let after = cursor::decode(&list, &request.cursor)?.unwrap_or(0);
        let mut found = self.store.deposits(member, after, u64::from(size) + 1).await?;
        let next_cursor = cursor::cut(&list, &mut found, size as usize, |(number, _)| *number);
        let items = found.into_iter().map(|(_, found)| convert::deposit(found)).collect();
        Ok(Response::new(proto::ListDepositsResponse { items, next_cursor }))
    }

    async fn get_deposit(
        &self,
        request: Request<proto::GetDepositRequest>,
    ) -> RpcResult<proto::GetDepositResponse> {
        let id = request.into_inner().id;
        let found = self.store.deposits_by_id(&[id]).await?.pop();
        let found = found.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(proto::GetDepositResponse { deposit: Some(convert::deposit(found)) }))
    }

    async fn batch_get_deposits(
        &self,
        request: Request<proto::BatchGetDepositsRequest>,
    ) -> RpcResult<proto::BatchGetDepositsResponse> {
        let ids = request.into_inner().ids;
        let found = self.store.deposits_by_id(validate::batch(&ids)?).await?;
        Ok(Response::new(proto::BatchGetDepositsResponse {
            items: found.into_iter().map(convert::deposit).collect(),
        }))
    }
}
