//! `sahm.activity.v1.InvitationService`.

use sahm_chassis::{Error, ErrorCode, caller, clock::Clock, cursor};
use sahm_proto::{
    Locale,
    activity::v1::{self as proto, invitation_service_server::InvitationService},
};
use tonic::{Request, Response};

use super::{RpcResult, convert, validate};
use crate::{
    domain::{Checked, InviteCode, link},
    store::{ActivityStore, Inviter},
};

pub(crate) struct InvitationRpc {
    pub(crate) store: ActivityStore,
    pub(crate) clock: Clock,
    /// The origin of the site, without a trailing slash.
    pub(crate) origin: String,
}

#[tonic::async_trait]
impl InvitationService for InvitationRpc {
    async fn check_invite_code(
        &self,
        request: Request<proto::CheckInviteCodeRequest>,
    ) -> RpcResult<proto::CheckInviteCodeResponse> {
        let request = request.into_inner();
        if request.invite_code.trim().is_empty() {
            return Err(Error::field("invite_code", "must be given").into());
        }
        let code = InviteCode::parse(&request.invite_code);
        let checked = match &code {
            None => Checked::Invalid,
            Some(code) => match self.store.member_of_code(code).await? {
                Some(_) => Checked::Valid,
                None => Checked::Unknown,
            },
        };
        Ok(Response::new(proto::CheckInviteCodeResponse {
            id: code.map(|code| code.as_str().to_owned()).unwrap_or_default(),
            valid: checked == Checked::Valid,
            text: checked.text().in_locale(Locale::parse_or_english(&request.locale)).to_owned(),
        }))
    }

    async fn create_short_chain(
        &self,
        request: Request<proto::CreateShortChainRequest>,
    ) -> RpcResult<proto::CreateShortChainResponse> {
        let request = request.into_inner();
        let member = caller::current().require_member()?;
        let activity_id = validate::activity(request.activity_id)?;
        let channel = validate::channel(&request.channel)?;
        let now = self.clock.now();
        let chain = self.store.short_chain(member, activity_id, channel, rand::random, now).await?;
        let Some(chain) = chain else {
            return Ok(Response::new(proto::CreateShortChainResponse::default()));
        };
        let code = InviteCode::parse(&chain.code)
            .ok_or_else(|| Error::internal(format!("the code of {member} is broken")))?;
        let locale = Locale::parse_or_english(&request.locale);
        let url = link(&self.origin, locale, activity_id, &code, channel);
        Ok(Response::new(proto::CreateShortChainResponse {
            id: Some(chain.id),
            invite_code: chain.code,
            url,
        }))
    }

    async fn get_share_value(
        &self,
        request: Request<proto::GetShareValueRequest>,
    ) -> RpcResult<proto::GetShareValueResponse> {
        let request = request.into_inner();
        let channel = validate::channel(&request.channel)?;
        let text = self.store.share_text(channel).await?.unwrap_or_default();
        Ok(Response::new(proto::GetShareValueResponse {
            id: channel.into_str().to_owned(),
            campaign_id: channel.campaign_id(),
            text: text.in_locale(Locale::parse_or_english(&request.locale)).to_owned(),
            text_en: text.en,
            text_sa: text.sa,
        }))
    }

    async fn list_inviters(
        &self,
        request: Request<proto::ListInvitersRequest>,
    ) -> RpcResult<proto::ListInvitersResponse> {
        let request = request.into_inner();
        let activity_id = validate::activity(request.activity_id)?;
        let size = validate::list_size(request.size)?;
        self.store.known_campaign(activity_id).await?;
        let list = format!("inviters:{activity_id}");
        let after = cursor::decode(&list, &request.cursor)?;
        let mut found = self.store.inviters(activity_id, after, u64::from(size) + 1).await?;
        let next_cursor = cursor::cut(&list, &mut found, size as usize, Inviter::position);
        let members = found.iter().map(|one| one.member).collect::<Vec<_>>();
        let codes = self.store.codes_of(&members).await?;
        let items = found.into_iter().map(|one| {
            let code = codes.iter().find(|(member, _)| *member == one.member);
            let invite_code = code.map(|(_, code)| code.clone()).unwrap_or_default();
            proto::Inviter { id: one.member, invite_code, invited: one.invited }
        });
        Ok(Response::new(proto::ListInvitersResponse { items: items.collect(), next_cursor }))
    }

    async fn list_short_chains(
        &self,
        request: Request<proto::ListShortChainsRequest>,
    ) -> RpcResult<proto::ListShortChainsResponse> {
        let request = request.into_inner();
        let size = validate::list_size(request.size)?;
        let member = match request.member {
            0 => None,
            id => Some(validate::member(id)?),
        };
        let list = format!("short-chains:{}", request.member);
        let after = cursor::decode(&list, &request.cursor)?.unwrap_or(request.after_id);
        let mut found = self.store.short_chains(member, after, u64::from(size) + 1).await?;
        let next_cursor = cursor::cut(&list, &mut found, size as usize, |last| last.id);
        let items = found.into_iter().map(convert::short_chain).collect();
        Ok(Response::new(proto::ListShortChainsResponse { items, next_cursor }))
    }

    async fn get_short_chain(
        &self,
        request: Request<proto::GetShortChainRequest>,
    ) -> RpcResult<proto::GetShortChainResponse> {
        let id = request.into_inner().id;
        let found = self.store.short_chains_by_id(&[id]).await?.pop();
        let found = found.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(proto::GetShortChainResponse {
            short_chain: Some(convert::short_chain(found)),
        }))
    }

    async fn batch_get_short_chains(
        &self,
        request: Request<proto::BatchGetShortChainsRequest>,
    ) -> RpcResult<proto::BatchGetShortChainsResponse> {
        let ids = request.into_inner().ids;
        let found = self.store.short_chains_by_id(validate::batch(&ids)?).await?;
        let items = found.into_iter().map(convert::short_chain).collect();
        Ok(Response::new(proto::BatchGetShortChainsResponse { items }))
    }
}
