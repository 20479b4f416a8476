//! `sahm.identity.v1.SessionService`.

use sahm_chassis::{Error, ErrorCode, Result, clock::Clock};
use sahm_proto::identity::v1::{
    CheckSessionRequest, CheckSessionResponse, EndMemberSessionsRequest, EndMemberSessionsResponse,
    session_service_server::SessionService,
};
use tonic::Request;

use super::{Answer, answer, convert};
use crate::{domain::SessionToken, store::IdentityStore};

/// Answers from a store.
pub(crate) struct SessionCalls {
    pub(crate) store: IdentityStore,
    pub(crate) clock: Clock,
}

impl SessionCalls {
    async fn check(&self, token: &str) -> Result<CheckSessionResponse> {
        let ended = || Error::of(ErrorCode::SessionExpired);
        let token = SessionToken::parse(token).ok_or_else(ended)?;
        let live = self.store.session(&token, self.clock.now()).await?.ok_or_else(ended)?;
        Ok(CheckSessionResponse {
            member: live.member.id,
            session: live.id,
            user_info: Some(convert::user_info(&live.member)),
            expires_at: live.expires_at,
        })
    }

    async fn end(&self, member: u64) -> Result<EndMemberSessionsResponse> {
        if member == 0 {
            return Err(Error::field("member", "is needed"));
        }
        let ended = self.store.end_sessions(member).await?;
        let ended = ended.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        tracing::info!(member, ended, "sessions ended");
        Ok(EndMemberSessionsResponse { ended: u32::try_from(ended).unwrap_or(u32::MAX) })
    }
}

#[tonic::async_trait]
impl SessionService for SessionCalls {
    async fn check_session(
        &self,
        request: Request<CheckSessionRequest>,
    ) -> Answer<CheckSessionResponse> {
        answer(self.check(&request.into_inner().token).await)
    }

    async fn end_member_sessions(
        &self,
        request: Request<EndMemberSessionsRequest>,
    ) -> Answer<EndMemberSessionsResponse> {
        answer(self.end(request.into_inner().member).await)
    }
}
