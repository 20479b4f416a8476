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

use super::{Answer, answer, convert, validate};
use crate::{
    domain::{AccountChange, AccountStatus, Member, action_of},
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
        let found = self.store.members(validate::batch("ids", ids)?).await?;
        Ok(BatchGetMembersResponse { items: found.into_iter().map(convert::member).collect() })
    }

    async fn list(&self, request: ListMembersRequest) -> Result<ListMembersResponse> {
        let size = validate::size(request.size)?;
        let after = cursor::decode(MEMBERS, &request.cursor)?.unwrap_or(request.after_id);
        let mut found = self.store.list_members(after, size + 1).await?;
        let next_cursor = cursor::cut(MEMBERS, &mut found, size as usize, |member| member.id);
        let items = found.into_iter().map(convert::member).collect();
        Ok(ListMembersResponse { items, next_cursor })
    }

    async fn set(&self, request: SetAccountRequest) -> Result<SetAccountResponse> {
        let account_status = AccountStatus {
            status: request.status,
            opened: request.opened,
            opened_saudi: request.opened_saudi,
            hs_no: (!request.hs_no.is_empty()).then_some(request.hs_no),
            is_obtain_sns: request.is_obtain_sns,
        };
        let mask = request.update_mask.as_ref().map(|mask| mask.paths.as_slice());
        let change = AccountChange::parse(account_status, &request.email, mask)?;
        let member = self.store.set_account(request.id, change).await?;
        let member = member.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        tracing::info!(member = member.id, status = member.account_status.status, "account set");
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
        let status = member.account_status.status;
        let action = action_of(status).to_owned();
        Ok(GetApplyProgressResponse { id: member.id, status, action })
    }

    async fn tadawul_url(&self) -> Result<GetTadawulLoginUrlResponse> {
        let member = self.asker().await?;
        if !member.account_status.opened_saudi {
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
