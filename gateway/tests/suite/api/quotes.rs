//! The quotes calls of the JSON API with the real service in process.

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt;
use sahm_chassis::{clock::Clock, service::Service};
use sahm_quotes::Quotes;
use serde_json::json;

use crate::api::kit::{Site, query};

/// Friday, 2026-11-20, 15:00 UTC: the US market is open, the Saudi one is closed.
const NOW: u32 = 1_795_186_800;

async fn start() -> Site {
    Site::start([(Quotes::start, Clock::fixed(NOW))]).await
}

#[tokio::test]
async fn quote_has_all_fields_by_get_form_and_json() {
    let site = start().await;
    let expected = json!({
        "id": "AAPL", "securityCode": "AAPL", "dataType": 20001, "market": "us",
        "name": "Apple", "nameEn": "Apple", "nameSa": "أبل", "ftName": "أبل",
        "lastPrice": "264.76", "highAndLow": "-0.17", "highAndLowLimited": "-0.000642",
        "previousClose": "264.93", "open": "264.35", "high": "264.97", "low": "264.20",
        "currency": "USD", "exchange": "Nasdaq", "isPreIpo": false, "isRealTime": true,
        "isOld": false, "simulated": true, "status": 0, "mktTmType": 1, "time": NOW,
        "pHqdata": null, "volume": "151222",
    });
    for path in ["/api/hq", "/api/us"] {
        let path = format!("{path}/querySimpleBySecurityCodes");
        for lang in ["en", "ar"] {
            let got = site.read(&path, &[("securityCodes", "AAPL"), ("lang", lang)]).await;
            assert_eq!((got.status, got.data()), (200, &json!({ "quotes": [expected] })));
        }
    }
    let saudi = site.get("/api/stock/querySimpleBySecurityCodes?securityCodes=AAPL,2222").await;
    assert_eq!(saudi.status, 200);
    let quotes = saudi.data()["quotes"].as_array().unwrap();
    assert_eq!(quotes.len(), 1);
    assert_eq!((&quotes[0]["id"], &quotes[0]["mktTmType"]), (&json!("2222"), &json!(4)));
}

#[tokio::test]
async fn batch_of_quotes_is_read_by_post_only() {
    let site = start().await;
    let uri = "/api/hq/batch/querySimpleBySecurityCodes";
    let list = r#"[{"securityCode":"2222","dataType":10001},{"securityCode":"AAPL","dataType":1}]"#;
    let posted = site.post(uri, "", &[("list", list)]).await;
    assert_eq!(posted.status, 200);
    assert_eq!(posted.data()["quotes"].as_array().unwrap().len(), 1);
    assert_eq!(site.get(&format!("{uri}?{}", query(&[("list", list)]))).await.status, 405);
}

#[tokio::test]
async fn announcements_are_localized() {
    let site = start().await;
    let uri = "/api/hq/iisnews/detail/9005";
    let english = site.get(uri).await;
    let locale = &english.data()["announcement"]["locale"];
    assert_eq!((english.status, locale), (200, &json!("en-us")));
    let arabic = site.read(uri, &[("lang", "ar")]).await;
    assert_eq!(arabic.data()["announcement"]["locale"], "ar-sa");
    for (id, status, code) in [("7", 404, 20_390_030), ("x", 400, 10_000_003)] {
        let response = site.get(&format!("/api/hq/iisnews/detail/{id}")).await;
        assert_eq!((response.status, response.code()), (status, code), "{id}");
    }
}

#[tokio::test]
async fn invalid_codes_name_their_parameter() {
    let site = start().await;
    for uri in ["/api/hq", "/api/stock", "/api/us"] {
        for codes in ["", "A%20B"] {
            let uri = format!("{uri}/querySimpleBySecurityCodes?securityCodes={codes}");
            let response = site.get(&uri).await;
            assert_eq!((response.status, response.code()), (400, 10_000_003));
            assert!(response.fields()["securityCodes"].is_string(), "{}", response.json);
        }
    }
}

#[tokio::test]
async fn stream_begins_with_a_snapshot_and_rejects_invalid_codes() {
    let site = start().await;
    for (codes, status) in [("AAPL,2222", 200), ("NOSUCH", 400), ("", 400), ("a%20b", 400)] {
        let request = Request::get(format!("/api/hq/stream?codes={codes}"));
        let response = site.api.handle(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), status, "{codes}");
        if status == 200 {
            assert_eq!(response.headers()["content-type"], "text/event-stream");
            let mut body = response.into_body();
            let mut text = String::new();
            while text.matches("event: snapshot\nid: ").count() < 2 || !text.ends_with("\n\n") {
                let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
                text.push_str(std::str::from_utf8(&frame).unwrap());
            }
            assert!(text.starts_with("retry: 3000\n\n"), "{text}");
            assert!(text.contains("\"securityCode\":\"AAPL\"") && text.contains("\"2222\""));
        }
    }
}

#[tokio::test]
async fn every_invalid_list_item_is_named_by_its_index() {
    let site = start().await;
    let uri = "/api/hq/batch/querySimpleBySecurityCodes";
    let body = json!({ "list": [
        { "securityCode": "a b" }, { "dataType": 1 }, { "securityCode": "AAPL" },
    ] });
    let response = site.json(uri, "", &body).await;
    assert_eq!(response.status, 400);
    let fields = response.fields().as_object().unwrap();
    let names = fields.keys().collect::<Vec<_>>();
    assert_eq!(names, ["list[0].securityCode", "list[1].securityCode"]);
}
