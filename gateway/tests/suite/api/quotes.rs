//! The quotes calls of the JSON API with the real service in process.

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_gateway::{Services, api::Api};
use serde_json::{Value, json};

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// Friday, 2026-11-20, 15:00 UTC: the US market is open, the Saudi one is closed.
const NOW: u32 = 1_795_186_800;

struct Site {
    api: Api,
    context: Context,
    _data: tempfile::TempDir,
}

impl Site {
    async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().display().to_string())];
        let context = Context::new(Settings::from_pairs(Process::Site, pairs).unwrap());
        let quotes = sahm_quotes::Quotes::start(&context, Clock::fixed(NOW)).await.unwrap();
        let services = Services::new([(ServiceName::Quotes, Transport::local(quotes.routes))]);
        let api = Api::new(&services, &context).unwrap();
        Self { api, context, _data: data }
    }

    async fn get(&self, uri: &str) -> (u16, Value) {
        self.handle(Request::get(uri).body(Body::empty()).unwrap()).await
    }

    async fn post(&self, uri: &str, kind: &str, body: &str) -> (u16, Value) {
        let request = Request::post(uri).header("content-type", kind);
        self.handle(request.body(body.to_owned().into()).unwrap()).await
    }

    async fn handle(&self, request: Request<Body>) -> (u16, Value) {
        let (parts, body) = self.api.handle(request).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        (parts.status.as_u16(), serde_json::from_slice(&body).unwrap())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

#[tokio::test]
async fn quote_has_all_fields_by_get_form_and_json() {
    let site = Site::start().await;
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
        let uri = format!("{path}/querySimpleBySecurityCodes");
        for lang in ["", "&lang=ar"] {
            let query = format!("securityCodes=AAPL{lang}");
            let (status, get) = site.get(&format!("{uri}?{query}")).await;
            assert_eq!((status, &get["data"]), (200, &json!({ "quotes": [expected] })));
            let (_, form) = site.post(&uri, FORM, &query).await;
            let (_, json) = site.post(&uri, JSON, r#"{"securityCodes":"AAPL"}"#).await;
            assert_eq!((&form["data"], &json["data"]), (&get["data"], &get["data"]));
        }
    }
    let (status, saudi) =
        site.get("/api/stock/querySimpleBySecurityCodes?securityCodes=AAPL,2222").await;
    assert_eq!(status, 200);
    let quotes = saudi["data"]["quotes"].as_array().unwrap();
    assert_eq!(quotes.len(), 1);
    assert_eq!((&quotes[0]["id"], &quotes[0]["mktTmType"]), (&json!("2222"), &json!(4)));
}

#[tokio::test]
async fn currency_pairs_require_post() {
    let site = Site::start().await;
    let uri = "/api/hq/batch/querySimpleBySecurityCodes";
    let list = r#"[{"securityCode":"2222","dataType":10001},{"securityCode":"AAPL","dataType":1}]"#;
    let (status, json) = site.post(uri, JSON, &format!("{{\"list\":{list}}}")).await;
    assert_eq!(status, 200);
    assert_eq!(json["data"]["quotes"].as_array().unwrap().len(), 1);
    let encoded = list.replace('"', "%22");
    let (_, form) = site.post(uri, FORM, &format!("list={encoded}")).await;
    assert_eq!(form, json);
    assert_eq!(site.get(&format!("{uri}?list={encoded}")).await.0, 405);
}

#[tokio::test]
async fn announcements_are_localized() {
    let site = Site::start().await;
    let uri = "/api/hq/iisnews/detail/9005";
    let (status, english) = site.get(uri).await;
    assert_eq!((status, &english["data"]["announcement"]["locale"]), (200, &json!("en-us")));
    let (_, arabic) = site.get(&format!("{uri}?lang=ar")).await;
    assert_eq!(arabic["data"]["announcement"]["locale"], "ar-sa");
    let (_, posted) = site.post(uri, FORM, "lang=ar").await;
    assert_eq!(posted, arabic);
    for (id, status, code) in [("7", 404, 20_390_030), ("x", 400, 10_000_003)] {
        let (got, body) = site.get(&format!("/api/hq/iisnews/detail/{id}")).await;
        assert_eq!((got, &body["code"]), (status, &json!(code)), "{id}");
    }
}

#[tokio::test]
async fn faults_name_the_field() {
    let site = Site::start().await;
    for uri in ["/api/hq", "/api/stock", "/api/us"] {
        for codes in ["", "A%20B"] {
            let uri = format!("{uri}/querySimpleBySecurityCodes?securityCodes={codes}");
            let (status, body) = site.get(&uri).await;
            assert_eq!((status, &body["code"]), (400, &json!(10_000_003)));
            assert!(body["data"]["fields"]["securityCodes"].is_string(), "{body}");
        }
    }
}

#[tokio::test]
async fn stream_begins_with_a_snapshot() {
    let site = Site::start().await;
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
    let site = Site::start().await;
    let uri = "/api/hq/batch/querySimpleBySecurityCodes";
    let body = r#"{"list":[{"securityCode":"a b"},{"dataType":1},{"securityCode":"AAPL"}]}"#;
    let (status, json) = site.post(uri, JSON, body).await;
    assert_eq!(status, 400);
    let fields = json["data"]["fields"].as_object().unwrap();
    let names = fields.keys().collect::<Vec<_>>();
    assert_eq!(names, ["list[0].securityCode", "list[1].securityCode"]);
}
