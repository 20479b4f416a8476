//! Every content call of the API, each by every way in both languages.
use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    kit::{Site, pairs},
    shapes,
};

/// A call with parameters that it answers well.
struct Call {
    path: &'static str,
    /// The path as it is declared, where it holds a parameter.
    template: Option<&'static str>,
    parameters: &'static [(&'static str, &'static str)],
}

const fn call(path: &'static str, parameters: &'static [(&'static str, &'static str)]) -> Call {
    Call { path, template: None, parameters }
}

/// Those that only read (marked r), which take GET too.
const READING: &[Call] = &[
    call("/api/cms/position/images/v2", &[("clientType", "3"), ("positionCode", "SA_TOP_NEWS")]),
    call("/api/cms/position/images/v3", &[("clientType", "3"), ("positionCode", "US_TOP_NEWS")]),
    call(
        "/api/cms/position/images/batch/v2",
        &[("clientType", "3"), ("positionCodeList", "SA_TOP_NEWS,US_TOP_NEWS")],
    ),
    call("/api/cms/position/images/batch/v3", &[("positionCodeList", "US_TOP_NEWS")]),
    Call {
        path: "/api/help/rest/doc/142/contentV2",
        template: Some("/api/help/rest/doc/{id}/contentV2"),
        parameters: &[],
    },
    call("/api/help/getHelpClassification", &[]),
    call("/api/help/channel/tree", &[]),
    call("/api/help/content/commonQA", &[("size", "3")]),
    call("/api/help/channel/sub", &[("channelId", "1")]),
    call("/api/help/m/second", &[("channelId", "1"), ("size", "2")]),
    call("/api/help/m/search", &[("keyword", "JPEG"), ("size", "3")]),
    call("/api/help/m/detail", &[("id", "how-to-contact-support")]),
    call("/api/help/breadcrumb/content", &[("id", "142")]),
    call("/api/help/page/seo-info", &[("path", "/support")]),
    call("/api/news/tab/list", &[("market", "us")]),
    call("/api/news/flash/list", &[("market", "us"), ("size", "3")]),
    call("/api/news/video/list", &[("market", "saudi")]),
    call("/api/news/tab/content/list", &[("tabId", "2"), ("size", "2")]),
    call("/api/news/content/info/list", &[("market", "saudi")]),
    call("/api/news/content/recommend/list", &[("contentId", "1001"), ("size", "2")]),
    call("/api/news/tab/unread", &[("since", "1790000000")]),
    call("/api/news/content/detail", &[("id", "1015"), ("from", "SA_TOP_NEWS")]),
    call("/api/news/content/list-by-ids", &[("contentIds", "1001,2001,7")]),
    call("/api/news/like/list", &[("contentIds", "1001,2001,7")]),
    call("/api/news/content/relative/stock", &[("contentId", "1015")]),
    call("/api/college/os/home/page", &[]),
    call("/api/college/os/module/list", &[]),
    call("/api/college/os/navigation/list", &[]),
    call("/api/college/course/list", &[("categoryId", "1")]),
    call("/api/college/os/course/list", &[("size", "2")]),
    call("/api/college/course/detail", &[("courseId", "first-steps-in-the-market")]),
    call("/api/college/article/list", &[("courseId", "101"), ("size", "2")]),
    call("/api/college/os/article/list", &[("categoryId", "2")]),
    call("/api/college/company/article/list", &[("size", "2")]),
    call("/api/college/article/detail", &[("articleId", "1002")]),
    call("/api/college/recommend/list", &[("articleId", "1001")]),
    call("/api/college/os/bread/crumb", &[("articleId", "1001")]),
    call("/api/college/video/get-video-by-id", &[("videoId", "5001")]),
];

/// Those that write or ask others, which take POST only.
const POSTING: &[Call] = &[
    call("/api/news/content/log/add", &[("id", "1001")]),
    call("/api/news/like/operate", &[("contentId", "1001"), ("like", "true")]),
    call("/api/news/content/translate", &[("id", "1001")]),
    call("/api/college/log/add", &[("articleId", "1001")]),
    call("/api/college/article/like/add", &[("articleId", "1001")]),
    call("/api/college/article/like/cancel", &[("articleId", "1001")]),
    call(
        "/api/college/video/view-result/upload",
        &[("videoId", "5001"), ("position", "3"), ("duration", "12")],
    ),
];

/// What changes from one asking to the next is left out.
fn settled(mut data: Value) -> Value {
    if let Some(article) = data.get_mut("article").and_then(Value::as_object_mut) {
        article.remove("sign");
    }
    data
}

#[tokio::test]
async fn calls_that_read_answer_alike_by_every_way() {
    let site = Site::start().await;
    site.searchable().await;
    let mut found = BTreeMap::new();
    for call in READING {
        for lang in ["en", "ar"] {
            let parameters = [call.parameters, &[("lang", lang)]].concat();
            let get = site.get(&format!("{}?{}", call.path, pairs(&parameters))).await;
            assert_eq!((get.status, get.code()), (200, 10_000_000), "{} {}", call.path, get.json);
            let data = settled(get.data().clone());
            for posted in
                [site.form(call.path, &parameters).await, site.json(call.path, &parameters).await]
            {
                assert_eq!(posted.status, 200, "{} {}", call.path, posted.json);
                assert_eq!(settled(posted.data().clone()), data, "{}", call.path);
            }
            let items = data.get("items").and_then(Value::as_array);
            assert!(items.is_none_or(|items| !items.is_empty()), "{} has no items", call.path);
            shapes::add(&mut found, call.path, get.data());
        }
    }
    shapes::assert_stored("reading", &found);
}

#[tokio::test]
async fn calls_that_write_take_forms_and_json_only() {
    let site = Site::start().await;
    let article = site.get("/api/news/content/detail?id=1001").await;
    let sign = article.data()["article"]["sign"].as_str().unwrap().to_owned();
    let mut found = BTreeMap::new();
    for call in POSTING {
        for lang in ["en", "ar"] {
            let mut parameters = [call.parameters, &[("lang", lang)]].concat();
            if call.path.ends_with("/translate") {
                parameters.push(("sign", &sign));
            }
            let get = site.get(&format!("{}?{}", call.path, pairs(&parameters))).await;
            assert_eq!((get.status, get.code()), (405, 405), "{}", call.path);
            for posted in
                [site.form(call.path, &parameters).await, site.json(call.path, &parameters).await]
            {
                assert_eq!(posted.status, 200, "{} {}", call.path, posted.json);
                shapes::add(&mut found, call.path, posted.data());
            }
        }
    }
    shapes::assert_stored("posting", &found);
}

/// A call that is declared and not tried here would be noticed.
#[tokio::test]
async fn every_declared_call_is_tried() {
    let site = Site::start().await;
    let openapi = site.get("/api/openapi.json").await.json;
    let ours = ["/api/news/", "/api/college/", "/api/help/", "/api/cms/"];
    let declared: BTreeMap<&str, bool> = openapi["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, _)| ours.iter().any(|start| path.starts_with(start)))
        .map(|(path, methods)| (path.as_str(), methods.get("get").is_some()))
        .collect();
    let tried: BTreeMap<&str, bool> = [(READING, true), (POSTING, false)]
        .into_iter()
        .flat_map(|(calls, reads)| {
            calls.iter().map(move |call| (call.template.unwrap_or(call.path), reads))
        })
        .collect();
    assert_eq!(tried, declared);
}
