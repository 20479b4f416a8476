//! `sahm.activity.v1.CampaignService`.

use sahm_chassis::{Result, clock::Clock, cursor};
use sahm_proto::activity::v1::{
    BatchGetCampaignsRequest, BatchGetCampaignsResponse, GetCampaignInfoRequest,
    GetCampaignInfoResponse, GetCampaignRequest, GetCampaignResponse, GetCustomInfoRequest,
    GetCustomInfoResponse, ListCampaignRulesRequest, ListCampaignRulesResponse,
    ListCampaignsRequest, ListCampaignsResponse, ListGccRulesRequest, ListGccRulesResponse,
    campaign_service_server::CampaignService,
};
use tonic::Request;

use super::{Answer, answer, convert, validate};
use crate::{domain::Campaign, store::ActivityStore};

/// Campaigns.
pub(crate) struct CampaignCalls {
    pub(crate) store: ActivityStore,
    pub(crate) clock: Clock,
}

impl CampaignCalls {
    async fn campaign(&self, activity_id: u64) -> Result<Option<Campaign>> {
        self.store.campaign(validate::activity(activity_id)?).await
    }

    async fn get(&self, activity_id: u64) -> Result<GetCampaignResponse> {
        let found = self.campaign(activity_id).await?;
        let now = self.clock.now();
        Ok(GetCampaignResponse { campaign: found.map(|one| convert::campaign(&one, now)) })
    }

    async fn rules(&self, activity_id: u64) -> Result<ListCampaignRulesResponse> {
        let found = self.campaign(activity_id).await?;
        let rules = found.as_ref().map(|one| convert::passages(&one.rules, &one.figures));
        let rules = rules.unwrap_or_default();
        Ok(ListCampaignRulesResponse { id: found.map(|one| one.id), rules })
    }

    async fn gcc_rules(&self, activity_id: u64) -> Result<ListGccRulesResponse> {
        let found = self.campaign(activity_id).await?;
        let rules = found.as_ref().map(convert::gcc_rules).unwrap_or_default();
        Ok(ListGccRulesResponse { id: found.map(|one| one.id), rules })
    }

    async fn list(&self, request: ListCampaignsRequest) -> Result<ListCampaignsResponse> {
        let (size, found) = (validate::size_or_all(request.size)?, self.store.campaigns().await?);
        // The order is that of the store: those that begin last first, then by id.
        let position = |one: &Campaign| (u64::MAX - u64::from(one.begin), one.id);
        let (found, next_cursor) =
            cursor::page("campaigns", found, size, &request.cursor, position)?;
        let now = self.clock.now();
        let items = found.iter().map(|one| convert::campaign(one, now)).collect();
        Ok(ListCampaignsResponse { items, next_cursor })
    }

    async fn batch(&self, ids: &[u64]) -> Result<BatchGetCampaignsResponse> {
        let found = self.store.campaigns_by_id(validate::batch(ids)?).await?;
        let now = self.clock.now();
        let items = found.iter().map(|one| convert::campaign(one, now)).collect();
        Ok(BatchGetCampaignsResponse { items })
    }
}

#[tonic::async_trait]
impl CampaignService for CampaignCalls {
    async fn get_campaign(
        &self,
        request: Request<GetCampaignRequest>,
    ) -> Answer<GetCampaignResponse> {
        answer(self.get(request.into_inner().activity_id).await)
    }

    async fn list_campaign_rules(
        &self,
        request: Request<ListCampaignRulesRequest>,
    ) -> Answer<ListCampaignRulesResponse> {
        answer(self.rules(request.into_inner().activity_id).await)
    }

    async fn get_campaign_info(
        &self,
        request: Request<GetCampaignInfoRequest>,
    ) -> Answer<GetCampaignInfoResponse> {
        let found = self.campaign(request.into_inner().activity_id).await;
        let info = |one: Option<Campaign>| one.as_ref().map(convert::info);
        answer(found.map(|one| GetCampaignInfoResponse { info: info(one) }))
    }

    async fn get_custom_info(
        &self,
        request: Request<GetCustomInfoRequest>,
    ) -> Answer<GetCustomInfoResponse> {
        let found = self.campaign(request.into_inner().activity_id).await;
        let figures = |one: Option<Campaign>| one.as_ref().map(convert::figures);
        answer(found.map(|one| GetCustomInfoResponse { info: figures(one) }))
    }

    async fn list_gcc_rules(
        &self,
        request: Request<ListGccRulesRequest>,
    ) -> Answer<ListGccRulesResponse> {
        answer(self.gcc_rules(request.into_inner().activity_id).await)
    }

    async fn list_campaigns(
        &self,
        request: Request<ListCampaignsRequest>,
    ) -> Answer<ListCampaignsResponse> {
        answer(self.list(request.into_inner()).await)
    }

    async fn batch_get_campaigns(
        &self,
        request: Request<BatchGetCampaignsRequest>,
    ) -> Answer<BatchGetCampaignsResponse> {
        answer(self.batch(&request.into_inner().ids).await)
    }
}
