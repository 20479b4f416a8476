//! The config calls of the JSON API with the real service: by form, JSON and GET, in both locales.

use axum::body::Body;
use http::Request;
use sahm_chassis::{clock::Clock, service::Service};
use sahm_config::Config;
use sahm_gateway::ClientAddress;
use serde_json::{Value, json};

use crate::api::kit::Site;

async fn start() -> Site {
    Site::start([(Config::start, Clock::system())]).await
}

#[tokio::test]
async fn items_are_returned_by_key_and_by_group() {
    let site = start().await;
    let item = |key: &str, value: &str| json!({ "id": key, "key": key, "value": value });
    let keys = "SA_CUSTOMER_SERVICE_EMAIL,NO_SUCH_KEY,WEB_ACTIVITY_THEME";
    let items = json!({ "items": [
        item("SA_CUSTOMER_SERVICE_EMAIL", "support@sahm.example"), item("WEB_ACTIVITY_THEME", "0"),
    ] });
    for lang in ["en", "ar"] {
        let parameters = [("keys", keys), ("ctype", "commons"), ("lang", lang)];
        assert_eq!(site.data("/api/config/rest/web", &parameters).await, items);
        let parameters = [("keys", keys), ("lang", lang)];
        assert_eq!(site.data("/api/config/rest/common", &parameters).await, items);
        let unknown = [("keys", "NO_SUCH_KEY"), ("ctype", "commons"), ("lang", lang)];
        assert_eq!(site.data("/api/config/rest/web", &unknown).await, json!({ "items": [] }));

        let parameters = [("keys", "AC_OPEN,AC_OPEN_US,MORE_ACCOUNT,X"), ("lang", lang)];
        assert_eq!(
            site.data("/api/config/rest/urls", &parameters).await,
            json!({ "items": [
                item("AC_OPEN", "{token}?_app_fullScreen=y"),
                item("AC_OPEN_US", "/"),
                item("MORE_ACCOUNT", "https://account-feature.sahm.example/"),
            ] })
        );

        let parameters = [("groups", "web,urls,appCommons,webCommons"), ("lang", lang)];
        let groups = site.data("/api/config/rest/app-config/multi-value", &parameters).await;
        let groups = groups["groups"].as_array().unwrap();
        let names = groups.iter().map(|group| group["id"].as_str().unwrap()).collect::<Vec<_>>();
        assert_eq!(names, ["web", "urls", "appCommons", "webCommons"]);
        assert_eq!(
            groups[0],
            json!({ "id": "web", "name": "web", "items": [item("WEB_ACTIVITY_THEME", "0")] })
        );
        let has = |at: usize, expected: Value| {
            groups[at]["items"].as_array().unwrap().contains(&expected)
        };
        assert!(has(1, item("TRADING_URL", "https://trade-feature.sahm.example/")));
        assert!(has(2, item("SA_STORE_ONE_LINK_URL", "https://sahm.example/get")));
        assert!(has(3, item("SA_CUSTOMER_SERVICE_EMAIL", "support@sahm.example")));
    }
}

#[tokio::test]
async fn countries_have_telephone_codes() {
    let site = start().await;
    for (lang, label, shown) in [
        ("", "Saudi Arabia", "+966"),
        ("en-us", "Saudi Arabia", "+966"),
        ("ar", "المملكة العربية السعودية", "966+"),
        ("AR_SA", "المملكة العربية السعودية", "966+"),
    ] {
        let codes = site.data("/api/basic/country/tel-codes", &[("lang", lang)]).await;
        let saudi = &codes["general"][0];
        let arabic = saudi["nameAr"].as_str().unwrap();
        assert_eq!(
            *saudi,
            json!({
                "id": "SA", "name": "Saudi Arabia", "nameAr": arabic, "telCode": "966",
                "label": if label == "Saudi Arabia" { label } else { arabic },
                "value": "966", "valueShow": shown,
            }),
            "{lang}"
        );
        let all = codes["all"].as_array().unwrap();
        assert!(all.len() > 200 && all.contains(saudi));

        for (with_tel, code) in [("true", "966"), ("1", "966"), ("false", ""), ("", "")] {
            let parameters = [("withTel", with_tel), ("lang", lang)];
            // GET and form treat an empty boolean as absent; in JSON it is invalid.
            let uri = format!("/api/base/countries?withTel={with_tel}&lang={lang}");
            let countries = site.get(&uri).await;
            let items = countries.data()["items"].as_array().unwrap();
            let saudi = items.iter().find(|item| item["id"] == "SAU").unwrap();
            assert_eq!(
                *saudi,
                json!({
                    "id": "SAU", "countryCode": "SAU", "name": "Saudi Arabia",
                    "nameEn": "Saudi Arabia", "nameSa": arabic, "telCode": code,
                })
            );
            if !with_tel.is_empty() {
                assert_eq!(site.data("/api/base/countries", &parameters).await, *countries.data());
            }
        }
    }
}

#[tokio::test]
async fn ip_address_has_its_country() {
    let site = start().await;
    let info = |ip: &str| json!({ "id": ip, "ip": ip, "countryCode": "SAU", "areaCode": 74 });
    for (ip, shown) in [("1.2.3.4", "1.2.3.4"), ("2001:DB8::1", "2001:db8::1"), ("", "")] {
        for lang in ["en", "ar"] {
            let parameters = [("ip", ip), ("lang", lang)];
            assert_eq!(site.data("/api/basic/ipInfo", &parameters).await, info(shown), "{ip}");
        }
    }
    // The caller's address if none is given.
    let mut request = Request::get("/api/basic/ipInfo").body(Body::empty()).unwrap();
    let caller = "203.0.113.9".parse().unwrap();
    request.extensions_mut().insert(ClientAddress(caller));
    assert_eq!(site.handle(request).await.data(), &info("203.0.113.9"));
}

#[tokio::test]
async fn app_links_are_returned_by_platform() {
    let site = start().await;
    let store = |id: &str, name: &str, url: &str| json!({ "id": id, "name": name, "url": url, "version": "" });
    let ios = store("ios", "App Store", "https://apps.apple.com/sa/");
    let link = |id: &str, url: &str| json!({ "link": { "id": id, "url": url, "oneLink": "https://sahm.example/get" } });
    for lang in ["en", "ar"] {
        let all = site.data("/api/config/app/download-info", &[("lang", lang)]).await;
        assert_eq!((&all["items"][0], all["items"].as_array().unwrap().len()), (&ios, 4));
        let parameters = [("platform", "ios"), ("lang", lang)];
        assert_eq!(
            site.data("/api/config/app/download-info", &parameters).await,
            json!({ "items": [ios] })
        );
        assert_eq!(
            site.data("/api/config/app/download-link-info", &parameters).await,
            link("ios", "https://apps.apple.com/sa/")
        );
        assert_eq!(
            site.data("/api/config/app/download-link-info", &[("lang", lang)]).await,
            link("one-link", "https://sahm.example/get")
        );
    }
}

#[tokio::test]
async fn menu_has_header_footer_and_education_submenu() {
    let site = start().await;
    let english = site.data("/api/config/rest/menu", &[]).await;
    assert_eq!(site.data("/api/config/rest/menu", &[("lang", "ar")]).await, english);
    let menu = &english["menu"];
    let keys = |list: &Value| {
        let items = list.as_array().unwrap().iter();
        items.map(|item| item["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        keys(&menu["header"]),
        [
            "invest",
            "pricing",
            "education",
            "news",
            "support",
            "free-stocks",
            "about",
            "download",
            "trading"
        ]
    );
    assert_eq!(keys(&menu["footer"]), ["product", "company", "legal", "contact"]);
    let education = &menu["header"][2]["children"];
    assert_eq!(keys(education), ["education-home", "research-centre"]);
    assert_eq!(education[1]["url"], "/education/course/sahm-research-center/6?pageFrom=2");
    for item in menu["header"].as_array().unwrap() {
        for name in ["id", "name", "nameEn", "nameSa"] {
            assert!(!item[name].as_str().unwrap().is_empty(), "{item}");
        }
    }
    assert_eq!(menu["header"][8]["url"], "https://trade-feature.sahm.example/");
}

#[tokio::test]
async fn invalid_parameters_name_their_field() {
    let site = start().await;
    for (path, query, field) in [
        ("/api/basic/ipInfo", "ip=256.1.1.1", "ip"),
        ("/api/basic/ipInfo", "ip=1.2.3", "ip"),
        ("/api/basic/ipInfo", "ip=host", "ip"),
        ("/api/config/rest/urls", "", "keys"),
        ("/api/config/rest/web", "", "keys"),
        ("/api/config/rest/web", "keys=a%20b", "keys"),
        ("/api/config/rest/web", "keys=A&ctype=other", "ctype"),
        ("/api/config/rest/common", "", "keys"),
        ("/api/config/rest/app-config/multi-value", "", "groups"),
        ("/api/config/rest/app-config/multi-value", "groups=web,other", "groups"),
        ("/api/config/app/download-info", "platform=beos", "platform"),
        ("/api/config/app/download-link-info", "platform=beos", "platform"),
        ("/api/base/countries", "withTel=yes", "withTel"),
    ] {
        let uri = format!("{path}?{query}");
        for response in [site.get(&uri).await, site.form(path, "", query).await] {
            assert_eq!((response.status, response.code()), (400, 10_000_003), "{uri}");
            assert!(response.fields()[field].is_string(), "{uri} {}", response.json);
        }
    }
    let arabic = site.get("/api/basic/ipInfo?ip=x&lang=ar").await;
    assert_eq!(arabic.status, 400);
    let message = arabic.json["msg"].as_str().unwrap();
    assert!(message.starts_with("الخدمة"), "{message}");
}
