//! ConfigService: conversion between proto and domain types.

mod items;
mod places;
mod stores;
mod switches;

use sahm_chassis::{changes::ChangeLog, settings::Environment};
use sahm_proto::{
    Locale,
    config::v1::{self as proto, config_service_server::ConfigService},
};
use tonic::{Request, Response, Status};

use crate::{providers::Geoip, store::ConfigStore};

type RpcResult<T> = Result<Response<T>, Status>;

/// `sahm.config.v1.ConfigService`.
#[derive(Clone)]
pub struct ConfigRpc {
    store: ConfigStore,
    environment: Environment,
    geoip: Geoip,
    changed: ChangeLog,
}

impl ConfigRpc {
    /// Serves a store in an environment; writes wake the subscribers of the change log.
    pub fn new(
        store: ConfigStore,
        environment: Environment,
        geoip: Geoip,
        changed: ChangeLog,
    ) -> Self {
        Self { store, environment, geoip, changed }
    }

    async fn fees(&self) -> sahm_chassis::error::Result<proto::FeeSchedule> {
        let mut schedule = self.store.fees().await?;
        schedule.id = "fees".to_owned();
        Ok(schedule)
    }
}

#[tonic::async_trait]
impl ConfigService for ConfigRpc {
    async fn get_web_config(
        &self,
        request: Request<proto::GetWebConfigRequest>,
    ) -> RpcResult<proto::GetWebConfigResponse> {
        let request = request.into_inner();
        let items = self.items(&request.keys, &request.ctype).await?;
        Ok(Response::new(proto::GetWebConfigResponse { items }))
    }

    async fn get_common_config(
        &self,
        request: Request<proto::GetCommonConfigRequest>,
    ) -> RpcResult<proto::GetCommonConfigResponse> {
        let items = self.items(&request.into_inner().keys, "").await?;
        Ok(Response::new(proto::GetCommonConfigResponse { items }))
    }

    async fn get_menu(
        &self,
        _: Request<proto::GetMenuRequest>,
    ) -> RpcResult<proto::GetMenuResponse> {
        Ok(Response::new(proto::GetMenuResponse { menu: Some(self.menu().await?) }))
    }

    async fn get_download_info(
        &self,
        request: Request<proto::GetDownloadInfoRequest>,
    ) -> RpcResult<proto::GetDownloadInfoResponse> {
        let items = self.stores(&request.into_inner().platform).await?;
        Ok(Response::new(proto::GetDownloadInfoResponse { items }))
    }

    async fn get_app_config(
        &self,
        request: Request<proto::GetAppConfigRequest>,
    ) -> RpcResult<proto::GetAppConfigResponse> {
        let groups = self.groups(&request.into_inner().groups).await?;
        Ok(Response::new(proto::GetAppConfigResponse { groups }))
    }

    async fn get_urls(
        &self,
        request: Request<proto::GetUrlsRequest>,
    ) -> RpcResult<proto::GetUrlsResponse> {
        let items = self.urls(&request.into_inner().keys).await?;
        Ok(Response::new(proto::GetUrlsResponse { items }))
    }

    async fn get_ip_info(
        &self,
        request: Request<proto::GetIpInfoRequest>,
    ) -> RpcResult<proto::GetIpInfoResponse> {
        Ok(Response::new(self.ip_info(&request.into_inner().ip).await?))
    }

    async fn get_download_link_info(
        &self,
        request: Request<proto::GetDownloadLinkInfoRequest>,
    ) -> RpcResult<proto::GetDownloadLinkInfoResponse> {
        let link = self.link(&request.into_inner().platform).await?;
        Ok(Response::new(proto::GetDownloadLinkInfoResponse { link: Some(link) }))
    }

    async fn list_tel_codes(
        &self,
        request: Request<proto::ListTelCodesRequest>,
    ) -> RpcResult<proto::ListTelCodesResponse> {
        let locale = Locale::parse_or_english(&request.into_inner().locale);
        Ok(Response::new(self.tel_codes(locale).await?))
    }

    async fn list_countries(
        &self,
        request: Request<proto::ListCountriesRequest>,
    ) -> RpcResult<proto::ListCountriesResponse> {
        let items = self.countries(request.into_inner().with_tel).await?;
        Ok(Response::new(proto::ListCountriesResponse { items }))
    }

    async fn get_fee_schedule(
        &self,
        _: Request<proto::GetFeeScheduleRequest>,
    ) -> RpcResult<proto::GetFeeScheduleResponse> {
        Ok(Response::new(proto::GetFeeScheduleResponse { fee_schedule: Some(self.fees().await?) }))
    }

    async fn set_web_config(
        &self,
        request: Request<proto::SetWebConfigRequest>,
    ) -> RpcResult<proto::SetWebConfigResponse> {
        let items = self.set(request.into_inner().items).await?;
        Ok(Response::new(proto::SetWebConfigResponse { items }))
    }

    async fn list_switches(
        &self,
        _: Request<proto::ListSwitchesRequest>,
    ) -> RpcResult<proto::ListSwitchesResponse> {
        Ok(Response::new(proto::ListSwitchesResponse { turned_off: self.store.switches().await? }))
    }

    async fn set_switch(
        &self,
        request: Request<proto::SetSwitchRequest>,
    ) -> RpcResult<proto::SetSwitchResponse> {
        let turned_off = ConfigRpc::set_switch(self, request.into_inner()).await?;
        Ok(Response::new(proto::SetSwitchResponse { turned_off }))
    }
}
