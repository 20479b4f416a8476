//! The event reports of the JSON API with the real service in process.

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
        let service =
            sahm_attribution::Attribution::start(&context, Clock::system()).await.unwrap();
        let transport = Transport::local(service.routes);
        let services = Services::new([(ServiceName::Attribution, transport)]);
        let api = Api::new(&services, &context).unwrap();
        Self { api, context, _data: data }
    }

    async fn post(&self, kind: &str, body: &str) -> (u16, Value) {
        let request = Request::post("/api/event-report/report").header("content-type", kind);
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
async fn event_is_accepted_by_form_and_json() {
    let site = Site::start().await;
    let accepted = json!({ "accepted": true, "eventId": "event-0001" });
    for lang in ["", "&lang=ar"] {
        let form = format!(
            "eventName=open&eventValue=%7B%22a%22%3A1%7D&memberId=7&sellClient=10\
             &eventId=event-0001{lang}"
        );
        let (status, body) = site.post(FORM, &form).await;
        assert_eq!((status, &body["code"]), (200, &json!(10_000_000)));
        assert_eq!(body["data"], accepted);
    }
    let body = json!({
        "eventName": "open", "eventValue": "{}", "memberId": "7", "sellClient": 10,
        "deviceNo": "d-1", "eventId": "event-0001", "unknown": true,
    });
    let (status, body) = site.post(JSON, &body.to_string()).await;
    assert_eq!((status, &body["data"]), (200, &accepted));
    let (_, made) = site.post(JSON, r#"{"eventName":"open"}"#).await;
    assert_eq!(made["data"]["eventId"].as_str().unwrap().len(), 36);
}

#[tokio::test]
async fn invalid_reports_are_rejected_with_their_faults() {
    let site = Site::start().await;
    let (status, body) = site.post(JSON, r#"{"eventName":"","eventValue":"[]"}"#).await;
    assert_eq!((status, &body["code"]), (400, &json!(10_000_003)));
    let fields = body["data"]["fields"].as_object().unwrap();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["eventName", "eventValue"]);
    let get = Request::get("/api/event-report/report").body(Body::empty()).unwrap();
    assert_eq!(site.handle(get).await.0, 405);
}
