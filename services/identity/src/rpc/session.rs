//! `sahm.identity.v1.SessionService`.

use sahm_chassis::{Error, ErrorCode, clock::Clock};
use sahm_proto::identity::v1::{self as proto, session_service_server::SessionService};
use tonic::{Request, Response};

use super::{RpcResult, convert};
use crate::{domain::SessionToken, store::IdentityStore};

pub(crate) struct SessionRpc {
    pub(crate) store: IdentityStore,
    pub(crate) clock: Clock,
}

#[tonic::async_trait]
impl SessionService for SessionRpc {
    async fn check_session(
        &self,
        request: Request<proto::CheckSessionRequest>,
    ) -> RpcResult<proto::CheckSessionResponse> {
        let token = request.into_inner().token;
        let ended = || Error::of(ErrorCode::SessionExpired);
        let token = SessionToken::parse(&token).ok_or_else(ended)?;
        let live = self.store.session(&token, self.clock.now()).await?.ok_or_else(ended)?;
        Ok(Response::new(proto::CheckSessionResponse {
            member: live.member.id,
            session: live.id,
            user_info: Some(convert::user_info(&live.member)),
            expires_at: live.expires_at,
        }))
    }

    async fn end_member_sessions(
        &self,
        request: Request<proto::EndMemberSessionsRequest>,
    ) -> RpcResult<proto::EndMemberSessionsResponse> {
        let member = request.into_inner().member;
        if member == 0 {
            return Err(Error::field("member", "is required").into());
        }
        let ended = self.store.end_sessions(member).await?;
        let ended = ended.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        tracing::info!(member, ended, "sessions ended");
        Ok(Response::new(proto::EndMemberSessionsResponse {
            ended: u32::try_from(ended).unwrap_or(u32::MAX),
        }))
    }
}
