//! `sahm.activity.v1.InvitationService`.

use sahm_chassis::{Error, ErrorCode, Result, caller, clock::Clock, cursor};
use sahm_proto::{
    Locale,
    activity::v1::{
        self as proto, BatchGetShortChainsRequest, BatchGetShortChainsResponse,
        CheckInviteCodeRequest, CheckInviteCodeResponse, CreateShortChainRequest,
        CreateShortChainResponse, GetShareValueRequest, GetShareValueResponse,
        GetShortChainRequest, GetShortChainResponse, ListInvitersRequest, ListInvitersResponse,
        ListShortChainsRequest, ListShortChainsResponse,
        invitation_service_server::InvitationService,
    },
};
use tonic::Request;

use super::{Answer, answer, convert, validate};
use crate::{
    domain::{Checked, InviteCode, link},
    store::ActivityStore,
};

const PAGE: u32 = 20;
const PAGE_MAX: u32 = 100;

/// Invitations.
pub(crate) struct InvitationCalls {
    pub(crate) store: ActivityStore,
    pub(crate) clock: Clock,
    /// The site's, without a slash at the end.
    pub(crate) origin: String,
}

impl InvitationCalls {
    async fn check(&self, request: CheckInviteCodeRequest) -> Result<CheckInviteCodeResponse> {
        if request.invite_code.trim().is_empty() {
            return Err(Error::field("invite_code", "must be given"));
        }
        let code = InviteCode::parse(&request.invite_code);
        let checked = match &code {
            None => Checked::Invalid,
            Some(code) => match self.store.member_of_code(code).await? {
                Some(_) => Checked::Valid,
                None => Checked::Unknown,
            },
        };
        Ok(CheckInviteCodeResponse {
            id: code.map(|code| code.as_str().to_owned()).unwrap_or_default(),
            valid: checked == Checked::Valid,
            text: checked.text().in_locale(Locale::asked(&request.locale)).to_owned(),
        })
    }

    async fn create(&self, request: CreateShortChainRequest) -> Result<CreateShortChainResponse> {
        let member = caller::current().require_member()?;
        let activity_id = validate::activity(request.activity_id)?;
        let channel = validate::channel(&request.channel)?;
        let now = self.clock.now();
        let chain = self.store.short_chain(member, activity_id, channel, rand::random, now).await?;
        let Some(chain) = chain else { return Ok(CreateShortChainResponse::default()) };
        let code = InviteCode::parse(&chain.code)
            .ok_or_else(|| Error::internal(format!("the code of {member} is broken")))?;
        let locale = Locale::asked(&request.locale);
        let url = link(&self.origin, locale, activity_id, &code, channel);
        Ok(CreateShortChainResponse { id: Some(chain.id), invite_code: chain.code, url })
    }

    async fn share(&self, request: GetShareValueRequest) -> Result<GetShareValueResponse> {
        let channel = validate::channel(&request.channel)?;
        let text = self.store.share_text(channel).await?.unwrap_or_default();
        Ok(GetShareValueResponse {
            id: channel.name().to_owned(),
            campaign_id: channel.campaign_id(),
            text: text.in_locale(Locale::asked(&request.locale)).to_owned(),
            text_en: text.en,
            text_sa: text.sa,
        })
    }

    async fn inviters(&self, request: ListInvitersRequest) -> Result<ListInvitersResponse> {
        let activity_id = validate::activity(request.activity_id)?;
        let size = validate::size(request.size, PAGE, PAGE_MAX)?;
        self.store.known_campaign(activity_id).await?;
        let list = format!("inviters:{activity_id}");
        let after = cursor::decode(&list, &request.cursor)?;
        let mut found = self.store.inviters(activity_id, after, size + 1).await?;
        let next_cursor = validate::cut(&list, &mut found, size, |last| *last);
        let members = found.iter().map(|one| one.member).collect::<Vec<_>>();
        let codes = self.store.codes_of(&members).await?;
        let items = found.into_iter().map(|one| {
            let code = codes.iter().find(|(member, _)| *member == one.member);
            let invite_code = code.map(|(_, code)| code.clone()).unwrap_or_default();
            proto::Inviter { id: one.member, invite_code, invited: one.invited }
        });
        Ok(ListInvitersResponse { items: items.collect(), next_cursor })
    }

    async fn chains(&self, request: ListShortChainsRequest) -> Result<ListShortChainsResponse> {
        let size = validate::size(request.size, PAGE, PAGE_MAX)?;
        let member = match request.member {
            0 => None,
            id => Some(validate::member(id)?),
        };
        let list = format!("short-chains:{}", request.member);
        let after = cursor::decode(&list, &request.cursor)?.unwrap_or(request.after_id);
        let mut found = self.store.short_chains(member, after, size + 1).await?;
        let next_cursor = validate::cut(&list, &mut found, size, |last| last.id);
        let items = found.into_iter().map(convert::short_chain).collect();
        Ok(ListShortChainsResponse { items, next_cursor })
    }

    async fn chain(&self, id: u64) -> Result<GetShortChainResponse> {
        let found = self.store.short_chains_by_id(&[id]).await?.pop();
        let found = found.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(GetShortChainResponse { short_chain: Some(convert::short_chain(found)) })
    }

    async fn chain_batch(&self, ids: &[u64]) -> Result<BatchGetShortChainsResponse> {
        let found = self.store.short_chains_by_id(validate::batch(ids)?).await?;
        let items = found.into_iter().map(convert::short_chain).collect();
        Ok(BatchGetShortChainsResponse { items })
    }
}

#[tonic::async_trait]
impl InvitationService for InvitationCalls {
    async fn check_invite_code(
        &self,
        request: Request<CheckInviteCodeRequest>,
    ) -> Answer<CheckInviteCodeResponse> {
        answer(self.check(request.into_inner()).await)
    }

    async fn create_short_chain(
        &self,
        request: Request<CreateShortChainRequest>,
    ) -> Answer<CreateShortChainResponse> {
        answer(self.create(request.into_inner()).await)
    }

    async fn get_share_value(
        &self,
        request: Request<GetShareValueRequest>,
    ) -> Answer<GetShareValueResponse> {
        answer(self.share(request.into_inner()).await)
    }

    async fn list_inviters(
        &self,
        request: Request<ListInvitersRequest>,
    ) -> Answer<ListInvitersResponse> {
        answer(self.inviters(request.into_inner()).await)
    }

    async fn list_short_chains(
        &self,
        request: Request<ListShortChainsRequest>,
    ) -> Answer<ListShortChainsResponse> {
        answer(self.chains(request.into_inner()).await)
    }

    async fn get_short_chain(
        &self,
        request: Request<GetShortChainRequest>,
    ) -> Answer<GetShortChainResponse> {
        answer(self.chain(request.into_inner().id).await)
    }

    async fn batch_get_short_chains(
        &self,
        request: Request<BatchGetShortChainsRequest>,
    ) -> Answer<BatchGetShortChainsResponse> {
        answer(self.chain_batch(&request.into_inner().ids).await)
    }
}
