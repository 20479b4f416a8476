//! `sahm.activity.v1.ParticipantService`.

use sahm_chassis::{Error, ErrorCode, Result, caller, clock::Clock, cursor};
use sahm_proto::{
    Locale,
    activity::v1::{
        self as proto, AssetsThreshold, BatchGetDepositsRequest, BatchGetDepositsResponse,
        BatchGetParticipantsRequest, BatchGetParticipantsResponse, GetAssetsStandardRequest,
        GetAssetsStandardResponse, GetDepositRequest, GetDepositResponse,
        GetMemberCountryCodeRequest, GetMemberCountryCodeResponse, GetParticipantRequest,
        GetParticipantResponse, JoinCampaignRequest, JoinCampaignResponse, ListDepositsRequest,
        ListDepositsResponse, ListMemberCampaignsRequest, ListMemberCampaignsResponse,
        ListParticipantsRequest, ListParticipantsResponse, RecordDepositRequest,
        RecordDepositResponse, SetMemberCountryRequest, SetMemberCountryResponse,
        participant_service_server::ParticipantService,
    },
};
use tonic::Request;

use super::{Answer, answer, convert, validate};
use crate::{
    domain::{Checked, Deposit, InviteCode, State, Text, country_code},
    store::{ActivityStore, Join, Recorded},
};

const PAGE: u32 = 20;
const PAGE_MAX: u32 = 100;

/// How far the booking team's clock may be ahead of ours.
const MAX_CLOCK_SKEW_SECONDS: u32 = 300;

/// The default country.
const DEFAULT_COUNTRY: &str = "SAU";

/// Participants and their deposits.
pub(crate) struct ParticipantCalls {
    pub(crate) store: ActivityStore,
    pub(crate) clock: Clock,
}

impl ParticipantCalls {
    async fn join(&self, request: JoinCampaignRequest) -> Result<JoinCampaignResponse> {
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
        Ok(JoinCampaignResponse {
            id: participant.as_ref().map(|one| one.id),
            joined: participant.is_some(),
            joined_at: participant.map_or(0, |one| one.joined_at),
            state: state.map(State::as_str).unwrap_or_default().to_owned(),
            text: text.in_locale(Locale::asked(&request.locale)).to_owned(),
        })
    }

    /// The member who has the code that was given.
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

    async fn standard(&self, activity_id: u64) -> Result<GetAssetsStandardResponse> {
        let member = caller::current().require_member()?;
        let found = self.store.campaign(validate::activity(activity_id)?).await?;
        let Some(campaign) = found else { return Ok(GetAssetsStandardResponse::default()) };
        let (joined, deposited) = tokio::try_join!(
            self.store.participant(campaign.id, member),
            self.store.deposited(member, campaign.begin, campaign.end),
        )?;
        let thresholds =
            (1..).zip(&campaign.figures.standards).map(|(number, standard)| AssetsThreshold {
                id: i32::to_string(&number),
                sar: standard.sar.to_string(),
                usd: standard.usd.to_string(),
                reached: deposited.reaches(standard),
            });
        Ok(GetAssetsStandardResponse {
            id: Some(campaign.id),
            joined: joined.is_some(),
            deposited_sar: deposited.sar.to_string(),
            deposited_usd: deposited.usd.to_string(),
            thresholds: thresholds.collect(),
        })
    }

    async fn country(&self) -> Result<GetMemberCountryCodeResponse> {
        let member = caller::current().require_member()?;
        let told = self.store.country(member).await?;
        let country_code = told.unwrap_or_else(|| DEFAULT_COUNTRY.to_owned());
        Ok(GetMemberCountryCodeResponse { id: member, country_code })
    }

    async fn set_country(
        &self,
        request: SetMemberCountryRequest,
    ) -> Result<SetMemberCountryResponse> {
        let member = validate::member(request.member)?;
        let code = country_code(&request.country_code)
            .ok_or_else(|| Error::field("country_code", "three capital letters, as SAU"))?;
        self.store.set_country(member, code).await?;
        Ok(SetMemberCountryResponse { id: member, country_code: code.to_owned() })
    }

    async fn record(&self, told: Option<proto::Deposit>) -> Result<RecordDepositResponse> {
        let told = told.ok_or_else(|| Error::field("deposit", "must be given"))?;
        let deposit =
            Deposit::check(&told.id, told.member, &told.amount, &told.currency, told.deposited_at)?;
        let now = self.clock.now();
        if deposit.deposited_at > now.saturating_add(MAX_CLOCK_SKEW_SECONDS) {
            return Err(Error::field("deposit.deposited_at", "must not lie in the future"));
        }
        let recorded = self.store.record(&deposit, now).await?;
        let (counted, tickets) = match recorded {
            Recorded::Counted(tickets) => (true, tickets),
            Recorded::Repeated => (false, 0),
        };
        Ok(RecordDepositResponse { id: deposit.id, counted, tickets })
    }

    async fn participants(
        &self,
        request: ListParticipantsRequest,
    ) -> Result<ListParticipantsResponse> {
        let activity_id = validate::activity(request.activity_id)?;
        let size = validate::size(request.size, PAGE, PAGE_MAX)?;
        self.store.known_campaign(activity_id).await?;
        let list = format!("participants:{activity_id}");
        let after = cursor::decode(&list, &request.cursor)?.unwrap_or(request.after_id);
        let mut found = self.store.participants(activity_id, after, size + 1).await?;
        let next_cursor = validate::cut(&list, &mut found, size, |last| last.id);
        let items = found.into_iter().map(convert::participant).collect();
        Ok(ListParticipantsResponse { items, next_cursor })
    }

    async fn participant(&self, id: u64) -> Result<GetParticipantResponse> {
        let found = self.store.participants_by_id(&[id]).await?.pop();
        let found = found.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(GetParticipantResponse { participant: Some(convert::participant(found)) })
    }

    async fn batch(&self, ids: &[u64]) -> Result<BatchGetParticipantsResponse> {
        let found = self.store.participants_by_id(validate::batch(ids)?).await?;
        let items = found.into_iter().map(convert::participant).collect();
        Ok(BatchGetParticipantsResponse { items })
    }

    async fn campaigns(&self, member: u64) -> Result<ListMemberCampaignsResponse> {
        let found = self.store.joined_by(validate::member(member)?).await?;
        let items = found.into_iter().map(convert::participant).collect();
        Ok(ListMemberCampaignsResponse { items })
    }

    async fn deposits(&self, request: ListDepositsRequest) -> Result<ListDepositsResponse> {
        let member = validate::member(request.member)?;
        let size = validate::size(request.size, PAGE, PAGE_MAX)?;
        let list = format!("deposits:{member}");
        let after = cursor::decode(&list, &request.cursor)?.unwrap_or(0);
        let mut found = self.store.deposits(member, after, size + 1).await?;
        let next_cursor = validate::cut(&list, &mut found, size, |(number, _)| *number);
        let items = found.into_iter().map(|(_, found)| convert::deposit(found)).collect();
        Ok(ListDepositsResponse { items, next_cursor })
    }

    async fn deposit(&self, id: String) -> Result<GetDepositResponse> {
        let found = self.store.deposits_by_id(&[id]).await?.pop();
        let found = found.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(GetDepositResponse { deposit: Some(convert::deposit(found)) })
    }

    async fn deposit_batch(&self, ids: &[String]) -> Result<BatchGetDepositsResponse> {
        let found = self.store.deposits_by_id(validate::batch(ids)?).await?;
        Ok(BatchGetDepositsResponse { items: found.into_iter().map(convert::deposit).collect() })
    }
}

#[tonic::async_trait]
impl ParticipantService for ParticipantCalls {
    async fn join_campaign(
        &self,
        request: Request<JoinCampaignRequest>,
    ) -> Answer<JoinCampaignResponse> {
        answer(self.join(request.into_inner()).await)
    }

    async fn get_assets_standard(
        &self,
        request: Request<GetAssetsStandardRequest>,
    ) -> Answer<GetAssetsStandardResponse> {
        answer(self.standard(request.into_inner().activity_id).await)
    }

    async fn get_member_country_code(
        &self,
        _: Request<GetMemberCountryCodeRequest>,
    ) -> Answer<GetMemberCountryCodeResponse> {
        answer(self.country().await)
    }

    async fn set_member_country(
        &self,
        request: Request<SetMemberCountryRequest>,
    ) -> Answer<SetMemberCountryResponse> {
        answer(self.set_country(request.into_inner()).await)
    }

    async fn record_deposit(
        &self,
        request: Request<RecordDepositRequest>,
    ) -> Answer<RecordDepositResponse> {
        answer(self.record(request.into_inner().deposit).await)
    }

    async fn list_participants(
        &self,
        request: Request<ListParticipantsRequest>,
    ) -> Answer<ListParticipantsResponse> {
        answer(self.participants(request.into_inner()).await)
    }

    async fn get_participant(
        &self,
        request: Request<GetParticipantRequest>,
    ) -> Answer<GetParticipantResponse> {
        answer(self.participant(request.into_inner().id).await)
    }

    async fn batch_get_participants(
        &self,
        request: Request<BatchGetParticipantsRequest>,
    ) -> Answer<BatchGetParticipantsResponse> {
        answer(self.batch(&request.into_inner().ids).await)
    }

    async fn list_member_campaigns(
        &self,
        request: Request<ListMemberCampaignsRequest>,
    ) -> Answer<ListMemberCampaignsResponse> {
        answer(self.campaigns(request.into_inner().member).await)
    }

    async fn list_deposits(
        &self,
        request: Request<ListDepositsRequest>,
    ) -> Answer<ListDepositsResponse> {
        answer(self.deposits(request.into_inner()).await)
    }

    async fn get_deposit(&self, request: Request<GetDepositRequest>) -> Answer<GetDepositResponse> {
        answer(self.deposit(request.into_inner().id).await)
    }

    async fn batch_get_deposits(
        &self,
        request: Request<BatchGetDepositsRequest>,
    ) -> Answer<BatchGetDepositsResponse> {
        answer(self.deposit_batch(&request.into_inner().ids).await)
    }
}
