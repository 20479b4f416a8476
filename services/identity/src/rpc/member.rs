//! `sahm.identity.v1.MemberService` and `AccountService`.

use sahm_chassis::{Error, ErrorCode, Result, caller, cursor, validate};
use sahm_proto::identity::v1::{
    self as proto, account_service_server::AccountService, member_service_server::MemberService,
};
use tonic::{Request, Response};

use super::{MAX_BATCH, RpcResult, convert};
use crate::{
    domain::{AccountChange, AccountStatus, Member, action_of},
    providers::Tadawul,
    store::IdentityStore,
};

/// The list that cursors of members belong to.
const MEMBERS_LIST: &str = "members";

pub(crate) struct MemberRpc {
    pub(crate) store: IdentityStore,
}

#[tonic::async_trait]
impl MemberService for MemberRpc {
    async fn get_member(
        &self,
        request: Request<proto::GetMemberRequest>,
    ) -> RpcResult<proto::GetMemberResponse> {
        let id = request.into_inner().id;
        let member = self.store.member(id).await?.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(proto::GetMemberResponse { member: Some(convert::member(member)) }))
    }

    async fn batch_get_members(
        &self,
        request: Request<proto::BatchGetMembersRequest>,
    ) -> RpcResult<proto::BatchGetMembersResponse> {
        let ids = request.into_inner().ids;
        let found = self.store.members(validate::batch("ids", &ids, MAX_BATCH)?).await?;
        Ok(Response::new(proto::BatchGetMembersResponse {
            items: found.into_iter().map(convert::member).collect(),
        }))
    }

    async fn list_members(
        &self,
        request: Request<proto::ListMembersRequest>,
    ) -> RpcResult<proto::ListMembersResponse> {
        let request = request.into_inner();
        let size = validate::list_size(request.size)?;
        let after = cursor::decode(MEMBERS_LIST, &request.cursor)?.unwrap_or(request.after_id);
        let mut found = self.store.list_members(after, size + 1).await?;
        let next_cursor = cursor::cut(MEMBERS_LIST, &mut found, size as usize, |member| member.id);
        let items = found.into_iter().map(convert::member).collect();
        Ok(Response::new(proto::ListMembersResponse { items, next_cursor }))
    }

    async fn set_account(
        &self,
        request: Request<proto::SetAccountRequest>,
    ) -> RpcResult<proto::SetAccountResponse> {
        let request = request.into_inner();
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
        Ok(Response::new(proto::SetAccountResponse { member: Some(convert::member(member)) }))
    }
}

/// The account of the logged-in member.
pub(crate) struct AccountRpc {
    pub(crate) store: IdentityStore,
    pub(crate) tadawul: Tadawul,
}

impl AccountRpc {
    async fn current_member(&self) -> Result<Member> {
        let id = caller::current().require_member()?;
        self.store.member(id).await?.ok_or_else(|| Error::of(ErrorCode::SessionExpired))
    }
}

#[tonic::async_trait]
impl AccountService for AccountRpc {
    async fn get_apply_progress(
        &self,
        _: Request<proto::GetApplyProgressRequest>,
    ) -> RpcResult<proto::GetApplyProgressResponse> {
        let member = self.current_member().await?;
        let status = member.account_status.status;
        let action = action_of(status).to_owned();
        Ok(Response::new(proto::GetApplyProgressResponse { id: member.id, status, action }))
    }

    async fn get_tadawul_login_url(
        &self,
        _: Request<proto::GetTadawulLoginUrlRequest>,
    ) -> RpcResult<proto::GetTadawulLoginUrlResponse> {
        let member = self.current_member().await?;
        if !member.account_status.opened_saudi {
            return Err(Error::of(ErrorCode::Forbidden).into());
        }
        Ok(Response::new(proto::GetTadawulLoginUrlResponse {
            url: self.tadawul.login_url(&member).await?,
        }))
    }
}
