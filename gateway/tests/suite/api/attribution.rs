//! The event reports of the JSON API with the real service in process.

use sahm_attribution::Attribution;
use sahm_chassis::{clock::Clock, service::Service};
use serde_json::json;

use crate::api::kit::Site;

const PATH: &str = "/api/event-report/report";

async fn start() -> Site {
    Site::start([(Attribution::start, Clock::system())]).await
}

#[tokio::test]
async fn event_is_accepted_by_form_and_json() {
    let site = start().await;
    let accepted = json!({ "accepted": true, "eventId": "event-0001" });
    for lang in ["en", "ar"] {
        let event = [
            ("eventName", "open"),
            ("eventValue", r#"{"a":1}"#),
            ("memberId", "7"),
            ("sellClient", "10"),
            ("eventId", "event-0001"),
            ("lang", lang),
        ];
        let response = site.post(PATH, "", &event).await;
        assert_eq!((response.status, response.code()), (200, 10_000_000));
        assert_eq!(response.data(), &accepted);
    }
    let event = json!({
        "eventName": "open", "eventValue": "{}", "memberId": "7", "sellClient": 10,
        "deviceNo": "d-1", "eventId": "event-0001", "unknown": true,
    });
    let response = site.json(PATH, "", &event).await;
    assert_eq!((response.status, response.data()), (200, &accepted));
    let without_id = site.json(PATH, "", &json!({ "eventName": "open" })).await;
    assert_eq!(without_id.data()["eventId"].as_str().unwrap().len(), 36);
}

#[tokio::test]
async fn all_invalid_fields_of_an_event_are_reported() {
    let site = start().await;
    let event = json!({ "eventName": "", "eventValue": "[]" });
    let response = site.json(PATH, "", &event).await;
    assert_eq!((response.status, response.code()), (400, 10_000_003));
    let fields = response.fields().as_object().unwrap();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["eventName", "eventValue"]);
    assert_eq!(site.get(PATH).await.status, 405);
}
