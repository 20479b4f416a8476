//! The JSON API with the real content and config services in process.

use std::{cell::Cell, io, iter::repeat_with, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use http::{Method, Request, header};
use http_body_util::BodyExt;
use proptest::prelude::*;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_config::Config;
use sahm_content::Content;
use sahm_gateway::{Services, api::Api};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::api::kit::{self, Response, Site};

const FORM: (&str, &str) = ("content-type", kit::FORM);
const JSON: (&str, &str) = ("content-type", kit::JSON);

async fn start() -> Site {
    Site::start([(Content::start, Clock::system()), (Config::start, Clock::system())]).await
}

/// The envelope always has all five keys; `errorHK` repeats `msg`.
fn assert_envelope(response: &Response) {
    let json = &response.json;
    let keys = json.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
    let mut expected = ["code", "msg", "error", "errorHK", "data"];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!(json["msg"], json["errorHK"]);
    assert_eq!(response.headers[header::CONTENT_TYPE], "application/json");
}

#[tokio::test]
async fn get_form_and_json_give_the_same_response() {
    let site = start().await;
    let uri = "/api/news/content/info/list";
    let get = site.get(&format!("{uri}?market=us&size=2&unknown=1")).await;
    assert_eq!(get.status, 200, "{:?}", get.json);
    assert_envelope(&get);
    let data = get.json["data"].clone();
    assert_eq!(get.code(), 10_000_000);
    assert_eq!(data["items"].as_array().unwrap().len(), 2);
    assert!(data["items"][0]["id"].is_string() && data["items"][0]["publishedAt"].is_u64());
    assert!(!data["nextCursor"].as_str().unwrap().is_empty());

    let form = site.send("POST", uri, &[FORM], "market=us&size=2").await;
    let json = site.send("POST", uri, &[JSON], r#"{"market":"us","size":2}"#).await;
    let text = site.send("POST", uri, &[JSON], r#"{"market":"us","size":"2"}"#).await;
    for other in [&form, &json, &text] {
        assert_eq!(other.json["data"], data);
    }

    let head = site.send("HEAD", &format!("{uri}?market=us&size=2&unknown=1"), &[], "").await;
    assert_eq!(head.status, 200);
    assert!(head.json.is_null(), "no body");
    assert_eq!(head.headers[header::CONTENT_LENGTH], get.headers[header::CONTENT_LENGTH]);

    let empty = site.send("POST", "/api/news/tab/list", &[], "").await;
    assert_eq!(empty.json["data"]["items"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn lists_are_paginated_and_articles_are_readable() {
    let site = start().await;
    let first = site.get("/api/news/content/info/list").await.json["data"].clone();
    assert_eq!(first["items"].as_array().unwrap().len(), 4);
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = site.get(&format!("/api/news/content/info/list?cursor={cursor}")).await;
    let second = second.json["data"].clone();
    assert_ne!(second["items"][0]["id"], first["items"][0]["id"]);

    let id = first["items"][0]["id"].as_str().unwrap().to_owned();
    let detail = site.get(&format!("/api/news/content/detail?id={id}")).await.json;
    assert_eq!(detail["data"]["article"]["id"], id.as_str());
    let uri = "/api/news/content/log/add";
    let before = site.send("POST", uri, &[FORM], format!("id={id}")).await.json;
    let after = site.send("POST", uri, &[JSON], format!("{{\"id\":{id}}}")).await.json;
    let count = |json: &Value| json["data"]["count"].as_str().unwrap().parse::<u64>().unwrap();
    assert_eq!(count(&after), count(&before) + 1);
}

#[tokio::test]
async fn messages_and_content_are_localized() {
    let site = start().await;
    let uri = "/api/news/content/info/list?size=1";
    let cases = [
        ("", None, "en-us"),
        ("&lang=ar", None, "ar-sa"),
        ("&lang=AR_sa", None, "ar-sa"),
        ("&_lang=ar-SA", None, "ar-sa"),
        ("&lang=fr", None, "en-us"),
        ("&lang=fr&_lang=ar", None, "ar-sa"),
        ("", Some("lang=ar-sa"), "ar-sa"),
        ("&lang=en", Some("lang=ar-sa"), "en-us"),
        ("&locale=en-us&lang=ar", None, "en-us"),
        ("&locale=&lang=ar", None, "ar-sa"),
    ];
    for (query, cookie, expected) in cases {
        let headers = cookie.map(|cookie| vec![("cookie", cookie)]).unwrap_or_default();
        let response = site.send("GET", &format!("{uri}{query}"), &headers, "").await.json;
        assert_eq!(response["data"]["items"][0]["locale"], expected, "{query} {cookie:?}");
    }
    let arabic = site.get("/api/news/content/detail?id=999999&lang=ar").await;
    let english = site.get("/api/news/content/detail?id=999999").await;
    assert_eq!(english.json["msg"], "The article has been removed.");
    assert_eq!(arabic.json["msg"], "تمت إزالة المقال.");
    let body = site.send("POST", "/api/news/content/detail", &[JSON], r#"{"id":"x","lang":"ar"}"#);
    assert!(body.await.json["msg"].as_str().unwrap().starts_with("الخدمة"));
}

#[tokio::test]
async fn failures_have_code_status_and_field() {
    let site = start().await;
    let cases = [
        ("/api/news/content/detail?id=999999", 404, 20_390_030, Value::Null),
        ("/api/news/content/detail?id=abc", 400, 10_000_003, json!("id")),
        ("/api/news/content/detail?id=-1", 400, 10_000_003, json!("id")),
        ("/api/news/content/detail?id=1&id=2", 400, 10_000_003, json!("id")),
        ("/api/news/content/detail?id=%zz", 400, 10_000_003, json!("query")),
        ("/api/news/content/info/list?size=51", 400, 10_000_003, json!("size")),
        ("/api/news/content/info/list?cursor=%21", 400, 10_000_003, json!("cursor")),
        ("/api/news/content/list-by-ids?contentIds=1,x", 400, 10_000_003, json!("contentIds")),
        ("/api/news/nothing", 404, 404, Value::Null),
        ("/api/", 404, 404, Value::Null),
        ("/api/sahm.content.v1.NewsService/WithdrawArticles", 404, 404, Value::Null),
    ];
    for (uri, status, code, field) in cases {
        let response = site.get(uri).await;
        assert_envelope(&response);
        assert_eq!((response.status, response.code()), (status, code), "{uri}");
        match field.as_str() {
            Some(field) => {
                assert!(response.fields()[field].is_string(), "{uri} {}", response.json)
            }
            None => assert_eq!(response.json["data"], Value::Null, "{uri}"),
        }
    }
    let missing = site.get("/api/news/content/detail?id=999999").await.json;
    assert_eq!(missing["error"], "article_not_found");
}

#[tokio::test]
async fn checks_run_in_documented_order() {
    let site = start().await;
    let uri = "/api/news/content/detail";
    let large = format!("id=1&x={}", "y".repeat(70_000));
    let foreign = ("origin", "https://evil.test");
    let multipart = ("content-type", "multipart/form-data; boundary=x");
    // Each request also violates every later rule.
    let cases = [
        ("PUT", vec![multipart, foreign], large.as_str(), 405),
        ("POST", vec![multipart, foreign], large.as_str(), 415),
        ("POST", vec![foreign], large.as_str(), 415),
        ("POST", vec![FORM, foreign], large.as_str(), 413),
        ("POST", vec![FORM, foreign], "id=x", 403),
        ("POST", vec![FORM, ("sec-fetch-site", "cross-site")], "id=x", 403),
        ("POST", vec![FORM, ("origin", "http://127.0.0.1:8080")], "id=x", 400),
        ("POST", vec![FORM], "id=x", 400),
        ("POST", vec![JSON], "[[[", 400),
        ("POST", vec![JSON, ("content-encoding", "gzip")], "{}", 415),
    ];
    for (method, headers, body, status) in cases {
        let response = site.send(method, uri, &headers, body.to_owned()).await;
        assert_envelope(&response);
        assert_eq!(response.status, status, "{method} {headers:?}");
        let code = if status == 405 || status == 403 { u64::from(status) } else { 10_000_003 };
        assert_eq!(response.code(), code);
    }
    // Reads are allowed from other sites.
    let list = site.send("GET", "/api/news/tab/list", &[foreign], "").await;
    assert_eq!(list.status, 200);
}

#[tokio::test]
async fn bodies_are_limited_with_and_without_content_length() {
    let site = start().await;
    let chunks = |count: usize| {
        let chunk = || io::Result::Ok(Bytes::from(vec![b'a'; 1024]));
        Body::from_stream(stream::iter(repeat_with(chunk).take(count)))
    };
    let uri = "/api/news/tab/list";
    assert_eq!(site.send("POST", uri, &[FORM], chunks(65)).await.status, 413);
    assert_eq!(site.send("POST", uri, &[FORM], chunks(63)).await.status, 200);
    assert_eq!(site.send("POST", uri, &[], chunks(1)).await.status, 415);
    let announced = [FORM, ("content-length", "70000")];
    assert_eq!(site.send("POST", uri, &announced, "a=1").await.status, 413);
    let broken = [Ok(Bytes::from_static(b"a=1")), Err(io::Error::other("gone"))];
    let broken = Body::from_stream(stream::iter(broken));
    assert_eq!(site.send("POST", uri, &[FORM], broken).await.status, 400);
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(32), "]".repeat(32));
    assert_eq!(
        site.send("POST", uri, &[JSON], deep).await.fields()["body"],
        "nests deeper than 32 levels"
    );
}

#[tokio::test]
async fn disallowed_methods_get_405_with_allow() {
    let site = start().await;
    let cases = [
        ("DELETE", "/api/news/tab/list", "GET, HEAD, POST"),
        ("OPTIONS", "/api/news/tab/list", "GET, HEAD, POST"),
        ("GET", "/api/news/content/log/add", "POST"),
        ("HEAD", "/api/news/content/log/add", "POST"),
        ("GET", "/api/log/report", "POST"),
        ("POST", "/api/openapi.json", "GET, HEAD"),
    ];
    for (method, uri, allow) in cases {
        let response = site.send(method, uri, &[], "").await;
        assert_eq!(response.status, 405, "{method} {uri}");
        assert_eq!(response.headers[header::ALLOW], allow, "{method} {uri}");
    }
}

#[tokio::test]
async fn client_error_report_needs_a_message_and_this_origin() {
    let site = start().await;
    let report =
        json!({ "message": "x\n".repeat(5_000), "stack": "at y", "url": "/news", "build": "b" });
    let response = site.send("POST", "/api/log/report", &[JSON], report.to_string()).await;
    assert_envelope(&response);
    assert_eq!(response.json["data"], json!({ "accepted": true }));
    let form = site.send("POST", "/api/log/report", &[FORM], "message=oops").await;
    assert_eq!(form.status, 200);
    let empty = site.send("POST", "/api/log/report", &[FORM], "stack=x").await;
    assert_eq!((empty.status, empty.fields()["message"].is_string()), (400, true));
    let foreign = [FORM, ("origin", "null")];
    let foreign = site.send("POST", "/api/log/report", &foreign, "message=x").await;
    assert_eq!(foreign.status, 403);
}

#[tokio::test]
async fn unavailable_service_is_503_with_retry_after() {
    let folder = tempfile::tempdir().unwrap();
    let data = ("SAHM_DATA_DIR".to_owned(), folder.path().display().to_string());
    let settings = Settings::from_pairs(Process::Gateway, [data]).unwrap();
    let context = Context::new(settings);
    let nowhere = Transport::connect("http://127.0.0.1:9", &context);
    let services = Services::new([(ServiceName::Content, nowhere)]);
    let api = Api::new(&services, &context).unwrap();
    for uri in ["/api/news/tab/list", "/api/config/rest/menu"] {
        let request = Request::get(uri).body(Body::empty()).unwrap();
        let response =
            tokio::time::timeout(Duration::from_secs(9), api.handle(request)).await.unwrap();
        let response = Response::read(response).await;
        assert_eq!((response.status, response.code()), (503, 503), "{uri}");
        assert!(response.headers.contains_key(header::RETRY_AFTER) && response.data().is_null());
        assert!(!response.json.to_string().contains("127.0.0.1"), "{}", response.json);
    }
    context.lifecycle.drain();
}

/// The services that run in this file's tests; calls of others are 503.
const RUNNING: [&str; 2] = ["content", "config"];

/// All paths of these services.
fn paths(site: &Site, runtime: &Runtime) -> Vec<(String, bool)> {
    let page = runtime.block_on(site.get("/api/openapi.json")).json;
    let paths = page["paths"].as_object().unwrap();
    let runs = |item: &Value| {
        let call = item.get("post").or(item.get("get")).unwrap();
        RUNNING.iter().any(|name| call["tags"][0] == **name)
    };
    paths
        .iter()
        .filter(|(_, item)| runs(item))
        .map(|(path, item)| (path.clone(), item.get("get").is_some()))
        .collect()
}

#[test]
fn arbitrary_queries_and_bodies_never_cause_5xx() {
    let runtime = Runtime::new().unwrap();
    let site = runtime.block_on(start());
    let paths = paths(&site, &runtime);
    assert!(paths.len() > 8);
    let names = "(id|size|cursor|tabId|contentIds|market|locale|keys|ctype|from|lang|withTel|x)";
    let pair = format!("{names}=([0-9]{{1,22}}|[ -~&&[^#]]{{0,20}}|%[0-9a-f]{{2}}|[ء-ي]{{1,5}})");
    let query = format!("({pair}(&{pair}){{0,4}})?");
    let json = format!(
        "\\{{(\"{names}\":(null|true|-?[0-9]{{1,25}}|\"[ -~]{{0,9}}\"|\\[\\]|\\{{\\}}|1e9)(,\"x\":1)?)?\\}}"
    );
    let config = match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        None => ProptestConfig::with_cases(200),
    };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let bytes = proptest::collection::vec(any::<u8>(), 0..80);
    let strategy = (0..paths.len(), query.as_str(), json.as_str(), bytes, 0..4_usize);
    let succeeded = Cell::new(0);
    let outcome = runner.run(&strategy, |(at, query, json, bytes, way)| {
        let (path, readable) = &paths[at];
        let method = if *readable && way == 0 { Method::GET } else { Method::POST };
        let mut request = Request::builder().method(method.clone());
        let body = match (&method, way) {
            (&Method::GET, _) => Body::empty(),
            (_, 1) => Body::from(json),
            (_, 2) => Body::from(bytes),
            _ => Body::from(query.clone()),
        };
        let encoded = query.bytes().map(|byte| match byte {
            b' ' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => "+".to_owned(),
            _ if byte.is_ascii() => char::from(byte).to_string(),
            _ => format!("%{byte:02x}"),
        });
        let kind = if way == 1 { JSON.1 } else { FORM.1 };
        request = request.header("content-type", kind).uri(match method {
            Method::GET => format!("{path}?{}", encoded.collect::<String>()),
            _ => path.clone(),
        });
        let Ok(request) = request.body(body) else { return Ok(()) };
        let response = runtime.block_on(site.api.handle(request));
        let status = response.status().as_u16();
        prop_assert!(status == 200 || (400..500).contains(&status), "{} {}", status, path);
        succeeded.set(succeeded.get() + u32::from(status == 200));
        let body = runtime.block_on(response.into_body().collect()).unwrap().to_bytes();
        let json = serde_json::from_slice::<Value>(&body);
        prop_assert!(json.is_ok());
        Ok(())
    });
    outcome.unwrap();
    // Some requests must succeed for the test to be meaningful.
    assert!(succeeded.get() > 10, "{}", succeeded.get());
}

#[tokio::test]
async fn all_invalid_fields_are_reported_in_the_callers_locale() {
    let site = start().await;
    let uri = "/api/news/tab/list?market=mars&size=51&cursor=%20";
    let english = site.get(uri).await;
    assert_eq!(english.status, 400);
    let expected = json!({
        "cursor": "may hold only the characters A-Za-z0-9_-",
        "market": "must be one of us, saudi, all",
        "size": "must be at most 50",
    });
    assert_eq!(english.fields(), &expected);
    let arabic = site.get(&format!("{uri}&lang=ar")).await;
    let expected = json!({
        "cursor": "الأحرف المسموح بها فقط: A-Za-z0-9_-",
        "market": "يجب أن تكون القيمة واحدة من: us, saudi, all",
        "size": "يجب ألا تزيد القيمة على 50",
    });
    assert_eq!(arabic.fields(), &expected);
}

#[tokio::test]
async fn repeated_parameters_are_rejected() {
    let site = start().await;
    let path = "/api/news/tab/list";
    let responses = [
        (site.get(&format!("{path}?size=1&size=1")).await, "size"),
        (site.get(&format!("{path}?lang=ar&lang=en")).await, "lang"),
        (site.send("POST", path, &[FORM], "market=us&market=us").await, "market"),
        (site.send("POST", path, &[JSON], r#"{"size":1,"size":1}"#).await, "body"),
    ];
    for (response, field) in responses {
        assert_eq!(response.status, 400, "{field}");
        assert!(response.fields()[field].is_string(), "{field} {}", response.json);
    }
}

#[tokio::test]
async fn comma_lists_skip_empty_items_and_require_one_item() {
    let site = start().await;
    for (path, name, list) in [
        ("/api/news/like/list", "contentIds", ",1001,,1002,"),
        ("/api/news/content/list-by-ids", "contentIds", ",1001,"),
        ("/api/config/rest/common", "keys", "A,,B"),
        ("/api/config/rest/app-config/multi-value", "groups", ",web,"),
        ("/api/cms/position/images/batch/v3", "positionCodeList", "A,,B"),
    ] {
        assert_eq!(site.get(&format!("{path}?{name}={list}")).await.status, 200, "{path}");
        for none in ["", ",", ",%20,"] {
            let response = site.get(&format!("{path}?{name}={none}")).await;
            assert_eq!(response.status, 400, "{path} {none}");
            assert_eq!(response.fields()[name], "is required", "{path} {none}");
        }
        let vertical_tab = site.get(&format!("{path}?{name}={list}7%0B")).await;
        assert_eq!(vertical_tab.status, 400, "{path}");
        let many = vec!["1001"; 51].join(",");
        let response = site.get(&format!("{path}?{name}={many}")).await;
        assert_eq!(response.status, 400, "{path}");
    }
}
