//! `sahm.activity.v1.CampaignService`.

use sahm_chassis::{Result, clock::Clock, cursor};
use sahm_proto::activity::v1::{self as proto, campaign_service_server::CampaignService};
use tonic::{Request, Response};

use super::{RpcResult, convert, validate};
use crate::{domain::Campaign, store::ActivityStore};

pub(crate) struct CampaignRpc {
    pub(crate) store: ActivityStore,
    pub(crate) clock: Clock,
}

impl CampaignRpc {
    async fn campaign(&self, activity_id: u64) -> Result<Option<Campaign>> {
        self.store.campaign(validate::activity(activity_id)?).await
    }
}

#[tonic::async_trait]
impl CampaignService for CampaignRpc {
    async fn get_campaign(
        &self,
        request: Request<proto::GetCampaignRequest>,
    ) -> RpcResult<proto::GetCampaignResponse> {
        let activity_id = request.into_inner().activity_id;
        let found = self.campaign(activity_id).await?;
        let now = self.clock.now();
        Ok(Response::new(proto::GetCampaignResponse {
            campaign: found.map(|one| convert::campaign(&one, now)),
        }))
    }

    async fn list_campaign_rules(
        &self,
        request: Request<proto::ListCampaignRulesRequest>,
    ) -> RpcResult<proto::ListCampaignRulesResponse> {
        let activity_id = request.into_inner().activity_id;
        let found = self.campaign(activity_id).await?;
        let rules = found.as_ref().map(|one| convert::passages(&one.rules, &one.figures));
        let rules = rules.unwrap_or_default();
        Ok(Response::new(proto::ListCampaignRulesResponse { id: found.map(|one| one.id), rules }))
    }

    async fn get_campaign_info(
        &self,
        request: Request<proto::GetCampaignInfoRequest>,
    ) -> RpcResult<proto::GetCampaignInfoResponse> {
        let found = self.campaign(request.into_inner().activity_id).await?;
        let info = found.as_ref().map(convert::info);
        Ok(Response::new(proto::GetCampaignInfoResponse { info }))
    }

    async fn get_custom_info(
        &self,
        request: Request<proto::GetCustomInfoRequest>,
    ) -> RpcResult<proto::GetCustomInfoResponse> {
        let found = self.campaign(request.into_inner().activity_id).await?;
        let info = found.as_ref().map(convert::figures);
        Ok(Response::new(proto::GetCustomInfoResponse { info }))
    }

    async fn list_gcc_rules(
        &self,
        request: Request<proto::ListGccRulesRequest>,
    ) -> RpcResult<proto::ListGccRulesResponse> {
        let activity_id = request.into_inner().activity_id;
        let found = self.campaign(activity_id).await?;
        let rules = found.as_ref().map(convert::gcc_rules).unwrap_or_default();
        Ok(Response::new(proto::ListGccRulesResponse { id: found.map(|one| one.id), rules }))
    }

    async fn list_campaigns(
        &self,
        request: Request<proto::ListCampaignsRequest>,
    ) -> RpcResult<proto::ListCampaignsResponse> {
        let request = request.into_inner();
        let (size, found) =
            (validate::page_size_or_all(request.size)?, self.store.campaigns().await?);
        // The order of the store: the latest begin first, then by id.
        let position = |one: &Campaign| (u64::MAX - u64::from(one.begin), one.id);
        let (found, next_cursor) =
            cursor::page("campaigns", found, size, &request.cursor, position)?;
        let now = self.clock.now();
        let items = found.iter().map(|one| convert::campaign(one, now)).collect();
        Ok(Response::new(proto::ListCampaignsResponse { items, next_cursor }))
    }

    async fn batch_get_campaigns(
        &self,
        request: Request<proto::BatchGetCampaignsRequest>,
    ) -> RpcResult<proto::BatchGetCampaignsResponse> {
        let ids = request.into_inner().ids;
        let found = self.store.campaigns_by_id(validate::batch(&ids)?).await?;
        let now = self.clock.now();
        let items = found.iter().map(|one| convert::campaign(one, now)).collect();
        Ok(Response::new(proto::BatchGetCampaignsResponse { items }))
    }
}
