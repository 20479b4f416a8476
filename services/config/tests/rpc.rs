//! The service's calls over the seed.
#![allow(clippy::unwrap_used)]

use sahm_chassis::{
    lifecycle::Context,
    rpc::Transport,
    settings::{Process, ServiceName, Settings},
};
use sahm_proto::config::v1::{
    ConfigItem, GetDownloadInfoRequest, GetFeeScheduleRequest, GetMenuRequest, GetWebConfigRequest,
    ListCountriesRequest, ListTelCodesRequest, SetWebConfigRequest,
    config_service_client::ConfigServiceClient,
};
use tonic::Code;

struct Running {
    client: ConfigServiceClient<Transport>,
    _folder: tempfile::TempDir,
}

async fn running(environment: &str) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let pairs = [
        ("SAHM_DATA_DIR", folder.path().to_str().unwrap()),
        ("SAHM_ENV", environment),
        ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef"),
        ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef0123456789abcdef"),
    ];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let process = Process::Service(ServiceName::Config);
    let context = Context::new(Settings::from_pairs(process, pairs).unwrap());
    let service = sahm_config::start(&context).await.unwrap();
    let client = ConfigServiceClient::new(Transport::local(service.routes));
    Running { client, _folder: folder }
}

#[tokio::test]
async fn the_menu_is_filled_for_its_environment() {
    for (environment, host) in
        [("dev", "trade-feature"), ("uat", "trade-uat"), ("prod", "trade.sahm")]
    {
        let mut site = running(environment).await;
        let menu =
            site.client.get_menu(GetMenuRequest {}).await.unwrap().into_inner().menu.unwrap();
        let trading = menu.header.iter().find(|item| item.key == "trading").unwrap();
        assert!(trading.url.contains(host), "{environment}: {}", trading.url);
        assert_eq!(menu.trading_url, trading.url);
        let free = menu.header.iter().find(|item| item.key == "free-stocks").unwrap();
        assert_eq!((free.url.as_str(), free.badge.as_str()), ("/activity/seed?theme=0", "hot"));
        let text = format!("{menu:?}");
        for placeholder in ["{theme}", "{trading}", "{whatsapp}", "{phone}", "{email}"] {
            assert!(!text.contains(placeholder), "{placeholder} left");
        }
    }
}

#[tokio::test]
async fn a_set_item_is_read_back() {
    let mut site = running("dev").await;
    let item =
        ConfigItem { key: "WEB_ACTIVITY_THEME".into(), value: "4".into(), ..Default::default() };
    site.client.set_web_config(SetWebConfigRequest { items: vec![item] }).await.unwrap();
    let asked = GetWebConfigRequest {
        keys: "WEB_ACTIVITY_THEME,NO_SUCH_KEY".into(),
        ctype: "commons".into(),
    };
    let items = site.client.get_web_config(asked).await.unwrap().into_inner().items;
    assert_eq!(items.len(), 1);
    assert_eq!((items[0].id.as_str(), items[0].value.as_str()), ("WEB_ACTIVITY_THEME", "4"));
}

#[tokio::test]
async fn lists_are_whole_and_in_order() {
    let mut site = running("dev").await;
    let codes = site.client.list_tel_codes(ListTelCodesRequest {}).await.unwrap().into_inner();
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
async fn wrong_parameters_are_named() {
    let mut site = running("dev").await;
    for keys in ["", "a b"] {
        let asked = GetWebConfigRequest { keys: keys.into(), ctype: String::new() };
        let status = site.client.get_web_config(asked).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        let error = sahm_chassis::error::Error::from(&status);
        assert_eq!(error.fields()[0].field, "keys");
    }
    let asked = GetDownloadInfoRequest { platform: "beos".into() };
    let status = site.client.get_download_info(asked).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}
