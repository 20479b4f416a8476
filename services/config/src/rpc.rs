//! ConfigService over the store: proto ↔ domain.

use sahm_chassis::{error::Error, settings::Environment};
use sahm_proto::config::v1::{
    ConfigItem, Country, FeeSchedule, GetCommonConfigRequest, GetCommonConfigResponse,
    GetDownloadInfoRequest, GetDownloadInfoResponse, GetFeeScheduleRequest, GetFeeScheduleResponse,
    GetMenuRequest, GetMenuResponse, GetWebConfigRequest, GetWebConfigResponse,
    ListCountriesRequest, ListCountriesResponse, ListTelCodesRequest, ListTelCodesResponse,
    SetWebConfigRequest, SetWebConfigResponse, StoreLink, TelCode,
    config_service_server::ConfigService,
};
use tonic::{Request, Response, Status};

use crate::{
    domain::{CountryRow, ItemKey, Placeholders, check_value, filled, keys_of},
    store::ConfigStore,
};

type Answer<T> = Result<Response<T>, Status>;

/// Where the app is to be had: id, name, key of the item that holds the address.
const STORES: [(&str, &str, &str); 4] = [
    ("ios", "App Store", "SA_STORE_IOS"),
    ("android", "Google Play", "SA_STORE_ANDROID"),
    ("huawei", "AppGallery", "SA_STORE_HUAWEI"),
    ("one-link", "One link", "SA_STORE_ONE_LINK"),
];

/// The service.
#[derive(Clone)]
pub struct ConfigRpc {
    store: ConfigStore,
    environment: Environment,
    changed: sahm_chassis::changes::ChangeLog,
}

impl ConfigRpc {
    /// A service over a store, in an environment; writers wake the change log.
    pub fn new(
        store: ConfigStore,
        environment: Environment,
        changed: sahm_chassis::changes::ChangeLog,
    ) -> Self {
        Self { store, environment, changed }
    }

    async fn items(&self, keys: &str, ctype: &str) -> Result<Vec<ConfigItem>, Error> {
        if !matches!(ctype, "" | "commons") {
            return Err(Error::field("ctype", "commons or nothing"));
        }
        let rows = self.store.items(&keys_of(keys)?, ctype).await?;
        Ok(rows.into_iter().map(|(key, value)| config_item(key, value)).collect())
    }

    /// Values of known keys; a missing one is empty.
    async fn values<const N: usize>(&self, keys: [&str; N]) -> Result<[String; N], Error> {
        let names = keys.iter().filter_map(|key| ItemKey::parse(key)).collect::<Vec<_>>();
        let rows = self.store.items(&names, "").await?;
        Ok(keys.map(|key| {
            rows.iter().find(|(name, _)| name == key).map(|(_, v)| v.clone()).unwrap_or_default()
        }))
    }

    async fn menu(&self) -> Result<sahm_proto::config::v1::Menu, Error> {
        let trading_key = match self.environment {
            Environment::Prod | Environment::Pre => "TRADING_URL_PROD",
            Environment::Uat | Environment::Beta => "TRADING_URL_UAT",
            _ => "TRADING_URL_FEATURE",
        };
        let [theme, trading, whatsapp, phone, email] = self
            .values([
                "WEB_ACTIVITY_THEME",
                trading_key,
                "SA_CUSTOMER_SERVICE_WHATSAPP",
                "SA_CUSTOMER_SERVICE_PHONE",
                "SA_CUSTOMER_SERVICE_EMAIL",
            ])
            .await?;
        let theme = if theme.is_empty() { "0".to_owned() } else { theme };
        let menu = self.store.menu().await?;
        Ok(filled(menu, &Placeholders { theme, trading, whatsapp, phone, email }))
    }

    async fn stores(&self, platform: &str) -> Result<Vec<StoreLink>, Error> {
        let known = platform.is_empty() || STORES.iter().any(|(id, ..)| *id == platform);
        if !known {
            return Err(Error::field("platform", "ios, android, huawei, one-link or nothing"));
        }
        let mut links = Vec::new();
        for (id, name, key) in STORES {
            if !platform.is_empty() && platform != id {
                continue;
            }
            let (url_key, version_key) = (format!("{key}_URL"), format!("{key}_VERSION"));
            let [url, version] = self.values([url_key.as_str(), version_key.as_str()]).await?;
            if !url.is_empty() {
                links.push(StoreLink { id: id.to_owned(), name: name.to_owned(), url, version });
            }
        }
        Ok(links)
    }

    async fn set(&self, items: Vec<ConfigItem>) -> Result<Vec<ConfigItem>, Error> {
        if items.is_empty() || items.len() > 50 {
            return Err(Error::field("items", "1 to 50 items"));
        }
        let mut pairs = Vec::new();
        for item in items {
            let key = ItemKey::parse(&item.key).ok_or_else(|| {
                Error::field("items", "a key has letters, digits, '_', '.' and '-'")
            })?;
            check_value(&item.value)?;
            pairs.push((key, item.value));
        }
        self.store.set_items(&pairs).await?;
        self.changed.notify();
        Ok(pairs
            .into_iter()
            .map(|(key, value)| config_item(key.as_str().to_owned(), value))
            .collect())
    }

    async fn fees(&self) -> Result<FeeSchedule, Error> {
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

    async fn list_tel_codes(
        &self,
        _: Request<ListTelCodesRequest>,
    ) -> Answer<ListTelCodesResponse> {
        let mut rows = self.store.countries().await?;
        rows.retain(|row| !row.tel_code.is_empty());
        let all = rows.iter().map(tel_code).collect();
        rows.retain(|row| row.general_rank > 0);
        rows.sort_by_key(|row| row.general_rank);
        let general = rows.iter().map(tel_code).collect();
        Ok(Response::new(ListTelCodesResponse { all, general }))
    }

    async fn list_countries(
        &self,
        request: Request<ListCountriesRequest>,
    ) -> Answer<ListCountriesResponse> {
        let with_tel = request.into_inner().with_tel;
        let rows = self.store.countries().await?;
        let items = rows
            .into_iter()
            .map(|row| Country {
                id: row.code.clone(),
                country_code: row.code,
                name_en: row.name.clone(),
                name: row.name,
                name_sa: row.name_ar,
                tel_code: if with_tel { row.tel_code } else { String::new() },
            })
            .collect();
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

fn config_item(key: String, value: String) -> ConfigItem {
    ConfigItem { id: key.clone(), key, value }
}

fn tel_code(row: &CountryRow) -> TelCode {
    TelCode {
        id: row.id.clone(),
        name: row.name.clone(),
        name_ar: row.name_ar.clone(),
        tel_code: row.tel_code.clone(),
    }
}
