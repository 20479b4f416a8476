//! `sahm.identity.v1.MemberService` and `AccountService`.

use sahm_chassis::{Error, ErrorCode, Result, caller, cursor};
use sahm_proto::identity::v1::{
    BatchGetMembersRequest, BatchGetMembersResponse, GetApplyProgressRequest,
    GetApplyProgressResponse, GetMemberRequest, GetMemberResponse, GetTadawulLoginUrlRequest,
    GetTadawulLoginUrlResponse, ListMembersRequest, ListMembersResponse, SetAccountRequest,
    SetAccountResponse, account_service_server::AccountService,
    member_service_server::MemberService,
};
use tonic::Request;

use super::{Answer, answer, asked, convert};
use crate::{
    domain::{AccountChange, Member, Standing, action_of},
    providers::Tadawul,
    store::IdentityStore,
};

/// The list that cursors of members belong to.
const MEMBERS: &str = "members";

/// Members for calling teams.
pub(crate) struct MemberCalls {
    pub(crate) store: IdentityStore,
}

impl MemberCalls {
    async fn get(&self, id: u64) -> Result<GetMemberResponse> {
        let member = self.store.member(id).await?.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(GetMemberResponse { member: Some(convert::member(member)) })
    }

    async fn batch(&self, ids: &[u64]) -> Result<BatchGetMembersResponse> {
        let found = self.store.members(asked::batch("ids", ids)?).await?;
        Ok(BatchGetMembersResponse { items: found.into_iter().map(convert::member).collect() })
    }

    async fn list(&self, asked: ListMembersRequest) -> Result<ListMembersResponse> {
        let size = asked::size(asked.size)?;
        let after = cursor::decode(MEMBERS, &asked.cursor)?.unwrap_or(asked.after_id);
        let mut found = self.store.list_members(after, size + 1).await?;
        let next_cursor = cursor::cut(MEMBERS, &mut found, size as usize, |member| member.id);
        let items = found.into_iter().map(convert::member).collect();
        Ok(ListMembersResponse { items, next_cursor })
    }

    async fn set(&self, asked: SetAccountRequest) -> Result<SetAccountResponse> {
        let standing = Standing {
            status: asked.status,
            opened: asked.opened,
            opened_saudi: asked.opened_saudi,
            hs_no: (!asked.hs_no.is_empty()).then_some(asked.hs_no),
            is_obtain_sns: asked.is_obtain_sns,
        };
        let mask = asked.update_mask.as_ref().map(|mask| mask.paths.as_slice());
        let change = AccountChange::parse(standing, &asked.email, mask)?;
        let member = self.store.set_account(asked.id, change).await?;
        let member = member.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        tracing::info!(member = member.id, status = member.standing.status, "account set");
        Ok(SetAccountResponse { member: Some(convert::member(member)) })
    }
}

#[tonic::async_trait]
impl MemberService for MemberCalls {
    async fn get_member(&self, request: Request<GetMemberRequest>) -> Answer<GetMemberResponse> {
        answer(self.get(request.into_inner().id).await)
    }

    async fn batch_get_members(
        &self,
        request: Request<BatchGetMembersRequest>,
    ) -> Answer<BatchGetMembersResponse> {
        answer(self.batch(&request.into_inner().ids).await)
    }

    async fn list_members(
        &self,
        request: Request<ListMembersRequest>,
    ) -> Answer<ListMembersResponse> {
        answer(self.list(request.into_inner()).await)
    }

    async fn set_account(&self, request: Request<SetAccountRequest>) -> Answer<SetAccountResponse> {
        answer(self.set(request.into_inner()).await)
    }
}

/// The account of the one who asks.
pub(crate) struct AccountCalls {
    pub(crate) store: IdentityStore,
    pub(crate) tadawul: Tadawul,
}

impl AccountCalls {
    async fn asker(&self) -> Result<Member> {
        let id = caller::current().require_member()?;
        self.store.member(id).await?.ok_or_else(|| Error::of(ErrorCode::SessionExpired))
    }

    async fn progress(&self) -> Result<GetApplyProgressResponse> {
        let member = self.asker().await?;
        let status = member.standing.status;
        let action = action_of(status).to_owned();
        Ok(GetApplyProgressResponse { id: member.id, status, action })
    }

    async fn tadawul_url(&self) -> Result<GetTadawulLoginUrlResponse> {
        let member = self.asker().await?;
        if !member.standing.opened_saudi {
            return Err(Error::of(ErrorCode::Forbidden));
        }
        Ok(GetTadawulLoginUrlResponse { url: self.tadawul.login_url(&member).await? })
    }
}

#[tonic::async_trait]
impl AccountService for AccountCalls {
    async fn get_apply_progress(
        &self,
        _: Request<GetApplyProgressRequest>,
    ) -> Answer<GetApplyProgressResponse> {
        answer(self.progress().await)
    }

    async fn get_tadawul_login_url(
        &self,
        _: Request<GetTadawulLoginUrlRequest>,
    ) -> Answer<GetTadawulLoginUrlResponse> {
        answer(self.tadawul_url().await)
    }
}
