//! ConfigService: conversion between proto and domain types.

mod convert;
mod stores;

use std::collections::HashMap;

use sahm_chassis::{
    caller,
    changes::ChangeLog,
    clock,
    error::{Error, Result},
    settings::Environment,
    telemetry::AUDIT_TARGET,
};
use sahm_proto::{
    Locale,
    config::v1::{self as proto, config_service_server::ConfigService},
};
use strum::IntoEnumIterator;
use tonic::{Request, Response, Status};

use crate::{
    domain::{
        Group, ItemKey, MAX_KEYS, Placeholders, SwitchChange, UrlKey, check_value, filled,
        item_keys, keys_of, parse_key, urls_of,
    },
    providers::Geoip,
    store::ConfigStore,
};
use convert::{address_of, config_item, country, tel_code};

/// The country of an unknown address.
const DEFAULT_COUNTRY: (&str, u32) = ("SAU", 74);

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

    async fn items(&self, keys: &str, ctype: &str) -> Result<Vec<proto::ConfigItem>> {
        let rows = self.store.items(&keys_of(keys)?, ctype).await?;
        Ok(rows.into_iter().map(|(key, value)| config_item(key, value)).collect())
    }

    /// The values of the items that exist, by key.
    async fn values(&self, keys: &[impl AsRef<str>]) -> Result<HashMap<String, String>> {
        let keys = keys.iter().filter_map(|key| ItemKey::parse(key.as_ref())).collect::<Vec<_>>();
        Ok(self.store.items(&keys, "").await?.into_iter().collect())
    }

    fn resolved(&self, keys: &[UrlKey], rows: &[(String, String)]) -> Vec<proto::ConfigItem> {
        let item = |key: &UrlKey| {
            let value = key.resolve(self.environment, rows)?;
            Some(config_item(key.as_str().to_owned(), value))
        };
        keys.iter().filter_map(item).collect()
    }
}

#[tonic::async_trait]
impl ConfigService for ConfigRpc {
    async fn get_web_config(
        &self,
        request: Request<proto::GetWebConfigRequest>,
    ) -> RpcResult<proto::GetWebConfigResponse> {
        let proto::GetWebConfigRequest { keys, ctype } = request.into_inner();
        if !matches!(ctype.as_str(), "" | "commons") {
            return Err(Error::field("ctype", "commons or nothing").into());
        }
        let items = self.items(&keys, &ctype).await?;
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
        const KEYS: [&str; 4] = [
            "WEB_ACTIVITY_THEME",
            "SA_CUSTOMER_SERVICE_WHATSAPP",
            "SA_CUSTOMER_SERVICE_PHONE",
            "SA_CUSTOMER_SERVICE_EMAIL",
        ];
        let mut values = self.values(&KEYS).await?;
        let [theme, whatsapp, phone, email] =
            KEYS.map(|key| values.remove(key).unwrap_or_default());
        let theme = if theme.is_empty() { "0".to_owned() } else { theme };
        let keys = item_keys(&[UrlKey::Trading, UrlKey::MainSite], self.environment);
        let rows = self.store.items(&keys, "").await?;
        let url = |key: UrlKey| key.resolve(self.environment, &rows).unwrap_or_default();
        let main = url(UrlKey::MainSite).trim_end_matches('/').to_owned();
        let trading = url(UrlKey::Trading);
        let placeholders = Placeholders { theme, trading, main, whatsapp, phone, email };
        let menu = filled(self.store.menu().await?, &placeholders);
        Ok(Response::new(proto::GetMenuResponse { menu: Some(menu) }))
    }

    async fn get_download_info(
        &self,
        request: Request<proto::GetDownloadInfoRequest>,
    ) -> RpcResult<proto::GetDownloadInfoResponse> {
        let platform = request.into_inner().platform;
        let mut items = self.links(&platform).await?;
        items.retain(|link| platform.is_empty() || platform == link.id);
        Ok(Response::new(proto::GetDownloadInfoResponse { items }))
    }

    async fn get_app_config(
        &self,
        request: Request<proto::GetAppConfigRequest>,
    ) -> RpcResult<proto::GetAppConfigResponse> {
        let groups = Group::list(&request.into_inner().groups)?;
        let rows = self.store.all_items().await?;
        let group = |group: Group| proto::ConfigGroup {
            id: group.as_str().to_owned(),
            name: group.as_str().to_owned(),
            items: match group {
                Group::Urls => self.resolved(&UrlKey::iter().collect::<Vec<_>>(), &rows),
                group => rows
                    .iter()
                    .filter(|(key, _)| Group::of(key) == group)
                    .map(|(key, value)| config_item(key.clone(), value.clone()))
                    .collect(),
            },
        };
        let groups = groups.into_iter().map(group).collect();
        Ok(Response::new(proto::GetAppConfigResponse { groups }))
    }

    async fn get_urls(
        &self,
        request: Request<proto::GetUrlsRequest>,
    ) -> RpcResult<proto::GetUrlsResponse> {
        let keys = urls_of(&request.into_inner().keys)?;
        let rows = self.store.items(&item_keys(&keys, self.environment), "").await?;
        Ok(Response::new(proto::GetUrlsResponse { items: self.resolved(&keys, &rows) }))
    }

    /// The location of an address in text form, or of the caller's if it is empty.
    async fn get_ip_info(
        &self,
        request: Request<proto::GetIpInfoRequest>,
    ) -> RpcResult<proto::GetIpInfoResponse> {
        let address = match request.into_inner().ip.as_str() {
            "" => caller::current().address.map(|address| address.to_canonical()),
            text => Some(address_of(text)?),
        };
        let country = match address.and_then(|address| self.geoip.country(address)) {
            Some(id) => self.store.country(&id).await?,
            None => None,
        };
        let (country_code, area_code) = match country {
            Some(row) => (row.code, u32::try_from(row.area_code).unwrap_or(0)),
            None => (DEFAULT_COUNTRY.0.to_owned(), DEFAULT_COUNTRY.1),
        };
        let ip = address.map(|address| address.to_string()).unwrap_or_default();
        let id = ip.clone();
        Ok(Response::new(proto::GetIpInfoResponse { id, ip, country_code, area_code }))
    }

    async fn get_download_link_info(
        &self,
        request: Request<proto::GetDownloadLinkInfoRequest>,
    ) -> RpcResult<proto::GetDownloadLinkInfoResponse> {
        let platform = request.into_inner().platform;
        let links = self.links(&platform).await?;
        let url = |id: &str| {
            links.iter().find(|link| link.id == id).map(|link| link.url.clone()).unwrap_or_default()
        };
        let id = if platform.is_empty() { stores::ONE_LINK.to_owned() } else { platform };
        let link = proto::DownloadLink { url: url(&id), one_link: url(stores::ONE_LINK), id };
        Ok(Response::new(proto::GetDownloadLinkInfoResponse { link: Some(link) }))
    }

    async fn list_tel_codes(
        &self,
        request: Request<proto::ListTelCodesRequest>,
    ) -> RpcResult<proto::ListTelCodesResponse> {
        let locale = Locale::parse_or_english(&request.into_inner().locale);
        let mut rows = self.store.countries().await?;
        rows.retain(|row| !row.tel_code.is_empty());
        let all = rows.iter().map(|row| tel_code(row, locale)).collect();
        rows.retain(|row| row.general_rank > 0);
        rows.sort_by_key(|row| row.general_rank);
        let general = rows.iter().map(|row| tel_code(row, locale)).collect();
        Ok(Response::new(proto::ListTelCodesResponse { all, general }))
    }

    async fn list_countries(
        &self,
        request: Request<proto::ListCountriesRequest>,
    ) -> RpcResult<proto::ListCountriesResponse> {
        let with_tel = request.into_inner().with_tel;
        let rows = self.store.countries().await?;
        let items = rows.into_iter().map(|row| country(row, with_tel)).collect();
        Ok(Response::new(proto::ListCountriesResponse { items }))
    }

    async fn get_fee_schedule(
        &self,
        _: Request<proto::GetFeeScheduleRequest>,
    ) -> RpcResult<proto::GetFeeScheduleResponse> {
        let fees = proto::FeeSchedule { id: "fees".to_owned(), ..self.store.fees().await? };
        Ok(Response::new(proto::GetFeeScheduleResponse { fee_schedule: Some(fees) }))
    }

    async fn set_web_config(
        &self,
        request: Request<proto::SetWebConfigRequest>,
    ) -> RpcResult<proto::SetWebConfigResponse> {
        let items = request.into_inner().items;
        if !(1..=MAX_KEYS).contains(&items.len()) {
            return Err(Error::field("items", "1 to 50 items").into());
        }
        let pair = |item: proto::ConfigItem| {
            let key = parse_key("items", &item.key)?;
            check_value(&item.value)?;
            Ok((key, item.value))
        };
        let pairs = items.into_iter().map(pair).collect::<Result<Vec<_>>>()?;
        self.store.set_items(&pairs).await?;
        self.changed.notify();
        let items = pairs.into_iter().map(|(key, value)| config_item(key.into(), value)).collect();
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
        let request = request.into_inner();
        let (operator, reason) = (request.operator.clone(), request.reason.clone());
        let change = SwitchChange::parse(request, clock::now())?;
        let (feature, off) = (change.feature.as_str_name(), change.turned_off.is_some());
        let turned_off = self.store.set_switch(change).await?;
        self.changed.notify();
        let caller = caller::current().service;
        tracing::info!(target: AUDIT_TARGET, feature, off, operator, reason, caller, "switch set");
        Ok(Response::new(proto::SetSwitchResponse { turned_off }))
    }
}
