//! ConfigService over the store: proto ↔ domain.

mod items;
mod places;
mod stores;

use sahm_chassis::{changes::ChangeLog, settings::Environment};
use sahm_proto::{
    Locale,
    config::v1::{
        FeeSchedule, GetAppConfigRequest, GetAppConfigResponse, GetCommonConfigRequest,
        GetCommonConfigResponse, GetDownloadInfoRequest, GetDownloadInfoResponse,
        GetDownloadLinkInfoRequest, GetDownloadLinkInfoResponse, GetFeeScheduleRequest,
        GetFeeScheduleResponse, GetIpInfoRequest, GetIpInfoResponse, GetMenuRequest,
        GetMenuResponse, GetUrlsRequest, GetUrlsResponse, GetWebConfigRequest,
        GetWebConfigResponse, ListCountriesRequest, ListCountriesResponse, ListTelCodesRequest,
        ListTelCodesResponse, SetWebConfigRequest, SetWebConfigResponse,
        config_service_server::ConfigService,
    },
};
use tonic::{Request, Response, Status};

use crate::{providers::Geoip, store::ConfigStore};

type Answer<T> = Result<Response<T>, Status>;

/// The service.
#[derive(Clone)]
pub struct ConfigRpc {
    store: ConfigStore,
    environment: Environment,
    geoip: Geoip,
    changed: ChangeLog,
}

impl ConfigRpc {
    /// A service over a store, in an environment; writers wake the change log.
    pub fn new(
        store: ConfigStore,
        environment: Environment,
        geoip: Geoip,
        changed: ChangeLog,
    ) -> Self {
        Self { store, environment, geoip, changed }
    }

    async fn fees(&self) -> sahm_chassis::error::Result<FeeSchedule> {
        let mut schedule = self.store.fees().await?;
        schedule.id = "fees".to_owned();
        Ok(schedule)
    }
}

#[tonic::async_trait]
impl ConfigService for ConfigRpc {
    async fn get_web_config(
        &self,
        request: Request<GetWebConfigRequest>,
    ) -> Answer<GetWebConfigResponse> {
        let request = request.into_inner();
        let items = self.items(&request.keys, &request.ctype).await?;
        Ok(Response::new(GetWebConfigResponse { items }))
    }

    async fn get_common_config(
        &self,
        request: Request<GetCommonConfigRequest>,
    ) -> Answer<GetCommonConfigResponse> {
        let items = self.items(&request.into_inner().keys, "").await?;
        Ok(Response::new(GetCommonConfigResponse { items }))
    }

    async fn get_menu(&self, _: Request<GetMenuRequest>) -> Answer<GetMenuResponse> {
        Ok(Response::new(GetMenuResponse { menu: Some(self.menu().await?) }))
    }

    async fn get_download_info(
        &self,
        request: Request<GetDownloadInfoRequest>,
    ) -> Answer<GetDownloadInfoResponse> {
        let items = self.stores(&request.into_inner().platform).await?;
        Ok(Response::new(GetDownloadInfoResponse { items }))
    }

    async fn get_app_config(
        &self,
        request: Request<GetAppConfigRequest>,
    ) -> Answer<GetAppConfigResponse> {
        let groups = self.groups(&request.into_inner().groups).await?;
        Ok(Response::new(GetAppConfigResponse { groups }))
    }

    async fn get_urls(&self, request: Request<GetUrlsRequest>) -> Answer<GetUrlsResponse> {
        let items = self.urls(&request.into_inner().keys).await?;
        Ok(Response::new(GetUrlsResponse { items }))
    }

    async fn get_ip_info(&self, request: Request<GetIpInfoRequest>) -> Answer<GetIpInfoResponse> {
        Ok(Response::new(self.ip_info(&request.into_inner().ip).await?))
    }

    async fn get_download_link_info(
        &self,
        request: Request<GetDownloadLinkInfoRequest>,
    ) -> Answer<GetDownloadLinkInfoResponse> {
        let link = self.link(&request.into_inner().platform).await?;
        Ok(Response::new(GetDownloadLinkInfoResponse { link: Some(link) }))
    }

    async fn list_tel_codes(
        &self,
        request: Request<ListTelCodesRequest>,
    ) -> Answer<ListTelCodesResponse> {
        let locale = Locale::asked(&request.into_inner().locale);
        Ok(Response::new(self.tel_codes(locale).await?))
    }

    async fn list_countries(
        &self,
        request: Request<ListCountriesRequest>,
    ) -> Answer<ListCountriesResponse> {
        let items = self.countries(request.into_inner().with_tel).await?;
        Ok(Response::new(ListCountriesResponse { items }))
    }

    async fn get_fee_schedule(
        &self,
        _: Request<GetFeeScheduleRequest>,
    ) -> Answer<GetFeeScheduleResponse> {
        Ok(Response::new(GetFeeScheduleResponse { fee_schedule: Some(self.fees().await?) }))
    }

    async fn set_web_config(
        &self,
        request: Request<SetWebConfigRequest>,
    ) -> Answer<SetWebConfigResponse> {
        let items = self.set(request.into_inner().items).await?;
        Ok(Response::new(SetWebConfigResponse { items }))
    }
}
