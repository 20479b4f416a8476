//! The rpcs of the service with the seed.

mod mmdb;

use std::{net::IpAddr, path::Path, time::Duration};

use sahm_chassis::{
    caller::{self, Caller},
    clock::Clock,
    lifecycle::Context,
    rpc::Transport,
    service::{Seeding, Service},
    settings::{Process, ServiceName, Settings},
    store::Engine,
};
use sahm_proto::config::v1::{
    ConfigItem, GetAppConfigRequest, GetDownloadInfoRequest, GetDownloadLinkInfoRequest,
    GetFeeScheduleRequest, GetIpInfoRequest, GetIpInfoResponse, GetMenuRequest, GetUrlsRequest,
    GetWebConfigRequest, ListCountriesRequest, ListTelCodesRequest, SetWebConfigRequest,
    config_service_client::ConfigServiceClient,
};
use sahm_testkit::Postgres;
use tonic::Code;

struct Running {
    client: ConfigServiceClient<Transport>,
    context: Context,
    _folder: tempfile::TempDir,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

/// Runs each case, which queries the store, on SQLite and on PostgreSQL.
macro_rules! on_both_engines {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $case() {
                super::$case(super::Engine::Sqlite).await;
            })*
        }
        mod postgres {
            $(#[tokio::test]
            async fn $case() {
                super::$case(super::Engine::Postgres).await;
            })*
        }
    };
}

on_both_engines!(
    menu_has_the_values_of_its_environment,
    item_is_set_and_read,
    lists_are_complete_and_ordered,
);

async fn running(on: Engine, environment: &str) -> Running {
    running_with(on, environment, None).await
}

async fn running_with(on: Engine, environment: &str, geoip: Option<&Path>) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let database = match on {
        Engine::Sqlite => String::new(),
        Engine::Postgres => Postgres::shared().await.unwrap().database().await.unwrap(),
    };
    let pairs = [
        ("SAHM_DATABASE_URL", database.as_str()),
        ("SAHM_GEOIP_FILE", geoip.map_or("", |file| file.to_str().unwrap())),
        ("SAHM_DATA_DIR", folder.path().to_str().unwrap()),
        ("SAHM_ENV", environment),
        ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef"),
        ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef0123456789abcdef"),
    ];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let process = Process::Service(ServiceName::Config);
    let context = Context::new(Settings::from_pairs(process, pairs).unwrap());
    sahm_config::Config::open_and_seed(&context.settings).await.unwrap();
    let service = sahm_config::Config::start(&context, Clock::system()).await.unwrap();
    let client = ConfigServiceClient::new(Transport::local(service.routes));
    Running { client, context, _folder: folder }
}

async fn menu_has_the_values_of_its_environment(on: Engine) {
    for (environment, host) in
        [("dev", "trade-feature"), ("uat", "trade-uat"), ("prod", "trade.sahm")]
    {
        let mut site = running(on, environment).await;
        let menu =
            site.client.get_menu(GetMenuRequest {}).await.unwrap().into_inner().menu.unwrap();
        let trading = menu.header.iter().find(|item| item.key == "trading").unwrap();
        assert!(trading.url.contains(host), "{environment}: {}", trading.url);
        assert_eq!(menu.trading_url, trading.url);
        let free = menu.header.iter().find(|item| item.key == "free-stocks").unwrap();
        assert_eq!((free.url.as_str(), free.badge.as_str()), ("/activity/seed?theme=0", "hot"));
        let text = format!("{menu:?}");
        for placeholder in ["{theme}", "{trading}", "{main}", "{whatsapp}", "{phone}", "{email}"] {
            assert!(!text.contains(placeholder), "{placeholder} left");
        }
    }
}

async fn item_is_set_and_read(on: Engine) {
    let mut site = running(on, "dev").await;
    let item =
        ConfigItem { key: "WEB_ACTIVITY_THEME".into(), value: "4".into(), ..Default::default() };
    site.client.set_web_config(SetWebConfigRequest { items: vec![item] }).await.unwrap();
    let request = GetWebConfigRequest {
        keys: "WEB_ACTIVITY_THEME,NO_SUCH_KEY".into(),
        ctype: "commons".into(),
    };
    let items = site.client.get_web_config(request).await.unwrap().into_inner().items;
    assert_eq!(items.len(), 1);
    assert_eq!((items[0].id.as_str(), items[0].value.as_str()), ("WEB_ACTIVITY_THEME", "4"));
}

async fn lists_are_complete_and_ordered(on: Engine) {
    let mut site = running(on, "dev").await;
    let request = ListTelCodesRequest::default();
    let codes = site.client.list_tel_codes(request).await.unwrap().into_inner();
    assert!(codes.all.len() > 230 && codes.general.len() == 25);
    assert_eq!((codes.general[0].id.as_str(), codes.general[0].tel_code.as_str()), ("SA", "966"));
    let bare = site.client.list_countries(ListCountriesRequest { with_tel: false }).await.unwrap();
    assert!(bare.into_inner().items.iter().all(|country| country.tel_code.is_empty()));
    let stores = site.client.get_download_info(GetDownloadInfoRequest::default()).await.unwrap();
    assert_eq!(stores.into_inner().items.len(), 4);
    let fees = site.client.get_fee_schedule(GetFeeScheduleRequest {}).await.unwrap().into_inner();
    assert_eq!(fees.fee_schedule.unwrap().saudi.unwrap().commission_rate, "0.00105");
}

#[tokio::test]
async fn invalid_parameters_are_reported() {
    let mut site = running(Engine::Sqlite, "dev").await;
    for keys in ["", "a b"] {
        let request = GetWebConfigRequest { keys: keys.into(), ctype: String::new() };
        let status = site.client.get_web_config(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        let error = sahm_chassis::error::Error::from(&status);
        assert_eq!(error.fields()[0].field, "keys");
    }
    let request = GetDownloadInfoRequest { platform: "beos".into() };
    let status = site.client.get_download_info(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}

#[tokio::test]
async fn telephone_codes_are_returned_in_the_requested_locale() {
    let mut site = running(Engine::Sqlite, "dev").await;
    for (locale, label, shown) in [
        ("", "Saudi Arabia", "+966"),
        ("en-us", "Saudi Arabia", "+966"),
        ("ar-sa", "السعودية", "966+"),
    ] {
        let request = ListTelCodesRequest { locale: locale.into() };
        let codes = site.client.list_tel_codes(request).await.unwrap().into_inner();
        let first = &codes.general[0];
        assert_eq!((first.value.as_str(), first.value_show.as_str()), ("966", shown));
        assert!(first.label.contains(label), "{locale}: {}", first.label);
    }
}

#[tokio::test]
async fn urls_have_the_values_of_the_environment() {
    const KEYS: &str = "MORE_ACCOUNT,AC_OPEN,AC_OPEN_US,NO_SUCH_KEY";
    for (environment, account) in [("dev", "account-feature."), ("prod", "account.")] {
        let mut site = running(Engine::Sqlite, environment).await;
        let request = GetUrlsRequest { keys: KEYS.into() };
        let items = site.client.get_urls(request).await.unwrap().into_inner().items;
        let keys = items.iter().map(|item| item.key.as_str()).collect::<Vec<_>>();
        assert_eq!(keys, ["MORE_ACCOUNT", "AC_OPEN", "AC_OPEN_US"]);
        assert!(items[0].value.starts_with(&format!("https://{account}")), "{}", items[0].value);
        assert_eq!(items[1].value, "{token}?_app_fullScreen=y");
        assert_eq!(items[2].value, "/");
    }
}

#[tokio::test]
async fn groups_contain_their_items() {
    let mut site = running(Engine::Sqlite, "uat").await;
    let request = GetAppConfigRequest { groups: "urls,web,appCommons,webCommons,web".into() };
    let groups = site.client.get_app_config(request).await.unwrap().into_inner().groups;
    let names = groups.iter().map(|group| group.id.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["urls", "web", "appCommons", "webCommons"]);
    let has = |at: usize, key: &str, value: &str| {
        groups[at].items.iter().any(|item| item.key == key && item.value.contains(value))
    };
    assert!(has(0, "TRADING_URL", "trade-uat") && has(0, "AC_OPEN_US", "/"));
    assert!(has(1, "WEB_ACTIVITY_THEME", "0") && groups[1].items.len() == 1);
    assert!(has(2, "SA_STORE_IOS_URL", "https://"));
    assert!(has(3, "SA_CUSTOMER_SERVICE_PHONE", "+966"));
    for groups in ["", "web,other"] {
        let request = GetAppConfigRequest { groups: groups.into() };
        let status = site.client.get_app_config(request).await.unwrap_err();
        assert_eq!(sahm_chassis::error::Error::from(&status).fields()[0].field, "groups");
    }
}

#[tokio::test]
async fn one_link_contains_every_store() {
    let mut site = running(Engine::Sqlite, "dev").await;
    for (platform, id, store) in [
        ("", "one-link", "sahm.example"),
        ("ios", "ios", "apple.com"),
        ("huawei", "huawei", "huawei.com"),
    ] {
        let request = GetDownloadLinkInfoRequest { platform: platform.into() };
        let link = site.client.get_download_link_info(request).await.unwrap().into_inner().link;
        let link = link.unwrap();
        assert_eq!(link.id, id);
        assert!(link.url.contains(store) && link.one_link.contains("sahm.example"), "{link:?}");
    }
    let request = GetDownloadLinkInfoRequest { platform: "beos".into() };
    assert_eq!(
        site.client.get_download_link_info(request).await.unwrap_err().code(),
        Code::InvalidArgument
    );
}

/// The response of `GetIpInfo` for `ip`, called by `caller`.
async fn ip_info(
    site: &mut Running,
    ip: &str,
    caller: Option<&str>,
) -> Result<GetIpInfoResponse, tonic::Status> {
    let address = caller.map(|text| text.parse::<IpAddr>().unwrap());
    let request = site.client.get_ip_info(GetIpInfoRequest { ip: ip.into() });
    let response = caller::with(Caller { address, ..Caller::default() }, request).await?;
    Ok(response.into_inner())
}

#[tokio::test]
async fn country_defaults_to_saudi_arabia_without_geoip() {
    let mut site = running(Engine::Sqlite, "dev").await;
    for (ip, caller, shown) in [
        ("81.2.69.142", None, "81.2.69.142"),
        ("::1", Some("1.2.3.4"), "::1"),
        ("", Some("::ffff:1.2.3.4"), "1.2.3.4"),
        ("", None, ""),
    ] {
        let info = ip_info(&mut site, ip, caller).await.unwrap();
        assert_eq!((info.country_code.as_str(), info.area_code), ("SAU", 74), "{ip}");
        assert_eq!((info.ip.as_str(), info.id.as_str()), (shown, shown));
    }
    for invalid in ["256.1.1.1", "1.2.3", "host", "1.2.3.4/8"] {
        let status = ip_info(&mut site, invalid, None).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{invalid}");
    }
}

#[tokio::test]
async fn geoip_file_is_reloaded_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("country.mmdb");
    let networks = [("81.2.69.0/24", "GB"), ("2001:db8::/32", "SA"), ("9.0.0.0/8", "ZZ")];
    std::fs::write(&file, mmdb::file(&networks)).unwrap();
    let mut site = running_with(Engine::Sqlite, "dev", Some(&file)).await;
    for (ip, caller, country, area) in [
        ("81.2.69.142", None, "GBR", 0),
        ("", Some("81.2.69.1"), "GBR", 0),
        ("::ffff:81.2.69.1", None, "GBR", 0),
        ("2001:db8:1::5", None, "SAU", 74),
        ("2001:db9::5", None, "SAU", 74),
        ("9.9.9.9", None, "SAU", 74),
        ("81.2.70.1", Some("81.2.69.1"), "SAU", 74),
    ] {
        let info = ip_info(&mut site, ip, caller).await.unwrap();
        assert_eq!((info.country_code.as_str(), info.area_code), (country, area), "{ip}");
    }

    std::fs::write(&file, mmdb::file(&[("81.2.69.0/24", "FR")])).unwrap();
    let renewed = async {
        while ip_info(&mut site, "81.2.69.142", None).await.unwrap().country_code != "FRA" {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), renewed).await.unwrap();
}

#[tokio::test]
async fn startup_fails_with_an_invalid_geoip_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("country.mmdb");
    std::fs::write(&file, "no database").unwrap();
    let pairs = [
        ("SAHM_DATA_DIR".to_owned(), folder.path().display().to_string()),
        ("SAHM_GEOIP_FILE".to_owned(), file.display().to_string()),
    ];
    let process = Process::Service(ServiceName::Config);
    let context = Context::new(Settings::from_pairs(process, pairs).unwrap());
    let error = sahm_config::Config::start(&context, Clock::system()).await.err().unwrap();
    assert!(error.to_string().starts_with("SAHM_GEOIP_FILE="), "{error}");
    context.lifecycle.drain();
}

#[tokio::test]
async fn outside_dev_store_stays_empty_until_seeded() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = [
        ("SAHM_DATA_DIR", folder.path().to_str().unwrap()),
        ("SAHM_ENV", "prod"),
        ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef0123456789abcdef"),
    ];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let process = Process::Service(ServiceName::Config);
    let context = Context::new(Settings::from_pairs(process, pairs).unwrap());
    let service = sahm_config::Config::start(&context, Clock::system()).await.unwrap();
    let mut client = ConfigServiceClient::new(Transport::local(service.routes));
    let menu = client.get_menu(GetMenuRequest {}).await.unwrap().into_inner().menu.unwrap();
    assert!(menu.header.is_empty() && menu.footer.is_empty());
    for seeding in [Seeding::Filled, Seeding::NotEmpty] {
        assert_eq!(sahm_config::Config::open_and_seed(&context.settings).await.unwrap(), seeding);
    }
    let menu = client.get_menu(GetMenuRequest {}).await.unwrap().into_inner().menu.unwrap();
    assert_eq!(menu.header.len(), 9);
    context.lifecycle.drain();
}
