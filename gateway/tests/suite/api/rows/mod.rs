//! Every call of the JSON API with all six services, seeded: by every accepted method and type, in both locales, with
//! response shapes compared to snapshots.

mod content;
mod extreme_ids;
mod others;
mod row;
mod shapes;
mod site;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use self::{
    row::{Row, With},
    site::{ApiRequest, Site},
};
use crate::api::kit::Response;

const LANGUAGES: [(&str, &str); 2] = [("en", "Success"), ("ar", "تمت العملية بنجاح")];

fn rows() -> impl Iterator<Item = &'static Row> {
    content::ROWS.iter().chain(others::ROWS)
}

/// Removes values that differ between calls.
fn without_variable_fields(mut data: Value) -> Value {
    if let Some(article) = data.get_mut("article").and_then(Value::as_object_mut) {
        article.remove("sign");
    }
    data
}

/// Asserts a success with all five fields of the envelope, in the caller's locale.
fn assert_success(response: &Response, path: &str, message: &str) {
    assert_eq!(response.status, 200, "{path} {}", response.json);
    let names: Vec<_> = response.json.as_object().unwrap().keys().collect();
    assert_eq!(names, ["code", "data", "error", "errorHK", "msg"], "{path}");
    let values = ["code", "error", "errorHK", "msg"].map(|name| &response.json[name]);
    let expected = [json!(10_000_000), json!(""), json!(message), json!(message)];
    assert_eq!(values, expected.each_ref(), "{path}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_calls_respond_alike_by_get_form_and_json() {
    let site = Site::start().await;
    let mut found = BTreeMap::new();
    for row in rows().filter(|row| row.reads) {
        for (lang, message) in LANGUAGES {
            let request = site.request(row, lang).await;
            let get = site.get(row.path, &request).await;
            assert_success(&get, row.path, message);
            let data = without_variable_fields(get.json["data"].clone());
            for posted in [site.form(row.path, &request).await, site.json(row.path, &request).await]
            {
                assert_success(&posted, row.path, message);
                assert_eq!(
                    without_variable_fields(posted.json["data"].clone()),
                    data,
                    "{}",
                    row.path
                );
            }
            let items = data.get("items").and_then(Value::as_array);
            assert!(items.is_none_or(|items| !items.is_empty()), "{} has no items", row.path);
            shapes::add(&mut found, row.template, &get.json["data"]);
        }
    }
    shapes::assert_snapshot("reading", &found);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writing_calls_accept_form_and_json_only() {
    let site = Site::start().await;
    let mut found = BTreeMap::new();
    for row in rows().filter(|row| !row.reads) {
        let get = site.get(row.path, &ApiRequest::default()).await;
        assert_eq!((get.status, get.code()), (405, 405), "{}", row.path);
        assert_eq!(get.headers["allow"], "POST", "{}", row.path);
        for (lang, message) in LANGUAGES {
            for is_form in [true, false] {
                let request = site.request(row, lang).await;
                let posted = match is_form {
                    true => site.form(row.path, &request).await,
                    false => site.json(row.path, &request).await,
                };
                assert_success(&posted, row.path, message);
                shapes::add(&mut found, row.template, &posted.json["data"]);
            }
        }
        if matches!(row.with, With::Member | With::OwnSession) {
            let nobody = ApiRequest::default();
            for response in [site.form(row.path, &nobody).await, site.json(row.path, &nobody).await]
            {
                let expected = match row.with {
                    With::Member => (401, 10_000_006),
                    _ => (200, 10_000_000),
                };
                assert_eq!((response.status, response.code()), expected, "{}", row.path);
            }
        }
    }
    shapes::assert_snapshot("posting", &found);
}

/// The stream and the upload, which have tests of their own.
const TESTED_ELSEWHERE: [(&str, [bool; 2]); 2] =
    [("/api/hq/stream", [true, false]), ("/api/woms/feedback/submit", [false, true])];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_cover_exactly_the_declared_calls() {
    let site = Site::start().await;
    let openapi = site.get("/api/openapi.json", &ApiRequest::default()).await.json;
    let paths = openapi["paths"].as_object().unwrap();
    let declared = paths.iter().map(|(path, methods)| {
        (path.as_str(), ["get", "post"].map(|method| methods.get(method).is_some()))
    });
    let rows = rows().map(|row| (row.template, [row.reads, true])).chain(TESTED_ELSEWHERE);
    let tried: BTreeMap<_, _> = rows.collect();
    assert_eq!(declared.collect::<BTreeMap<_, _>>(), tried);
}
