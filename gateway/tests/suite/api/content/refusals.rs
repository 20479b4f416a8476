//! Rejected content calls, with status, code and field.
use serde_json::{Value, json};

use crate::api::content::start;

#[tokio::test]
async fn missing_items_have_the_error_code_of_their_kind() {
    let site = start().await;
    for (uri, code) in [
        ("/api/news/content/detail?id=7", 20_390_030),
        ("/api/news/content/recommend/list?contentId=7", 20_390_030),
        ("/api/news/content/relative/stock?contentId=7", 20_390_030),
        ("/api/college/video/get-video-by-id?videoId=7", 20_390_030),
        ("/api/college/course/detail?courseId=no-such", 20_360_014),
        ("/api/college/article/detail?articleId=7", 20_360_014),
        ("/api/college/recommend/list?articleId=7", 20_360_014),
        ("/api/college/os/bread/crumb?categoryId=7777", 20_360_014),
        ("/api/college/course/list?categoryId=7777", 20_360_014),
        ("/api/college/article/list?courseId=no-such", 20_360_014),
        ("/api/college/os/article/list?categoryId=7777", 20_360_014),
        ("/api/college/article/list?courseId=101&categoryId=2", 20_360_014),
        ("/api/help/m/detail?id=no-such", 30_010_002),
        ("/api/help/rest/doc/7777/contentV2", 30_010_002),
        ("/api/help/channel/sub?channelId=7777", 30_010_002),
        ("/api/help/breadcrumb/content?id=7777", 30_010_002),
    ] {
        let response = site.get(uri).await;
        assert_eq!((response.status, response.code()), (404, code), "{uri}");
        assert_eq!(response.data(), &Value::Null, "{uri}");
    }
    for (path, parameters, code) in [
        ("/api/news/like/operate", &[("contentId", "7"), ("like", "true")][..], 20_390_030),
        ("/api/news/content/log/add", &[("id", "7")], 20_390_030),
        ("/api/college/log/add", &[("articleId", "7")], 20_360_014),
        ("/api/college/article/like/add", &[("articleId", "7")], 20_360_014),
    ] {
        let response = site.post(path, "", parameters).await;
        assert_eq!((response.status, response.code()), (404, code), "{path}");
    }
}

#[tokio::test]
async fn missing_education_items_have_their_own_message() {
    let site = start().await;
    for (uri, english, arabic) in [
        (
            "/api/college/article/detail?articleId=999",
            "The article has been removed.",
            "تمت إزالة المقال.",
        ),
        (
            "/api/college/recommend/list?articleId=999",
            "The article has been removed.",
            "تمت إزالة المقال.",
        ),
        (
            "/api/college/course/detail?courseId=999",
            "The course has been removed.",
            "تمت إزالة الدورة.",
        ),
        (
            "/api/college/article/list?courseId=999",
            "The course has been removed.",
            "تمت إزالة الدورة.",
        ),
    ] {
        for (lang, text) in [("en-us", english), ("ar-sa", arabic)] {
            let response = site.get(&format!("{uri}&lang={lang}")).await;
            assert_eq!(
                (response.code(), &response.json["msg"]),
                (20_360_014, &json!(text)),
                "{uri}"
            );
        }
    }
}

#[tokio::test]
async fn unknown_tabs_and_positions_are_empty() {
    let site = start().await;
    for uri in [
        "/api/news/tab/content/list?tabId=77",
        "/api/cms/position/images/v2?positionCode=NO_SUCH",
        "/api/cms/position/images/batch/v3?positionCodeList=NO_SUCH,NOR_THIS",
    ] {
        let response = site.get(uri).await;
        assert_eq!((response.status, response.code()), (200, 10_000_000), "{uri}");
        assert_eq!(response.data()["items"], json!([]), "{uri}");
    }
}

#[tokio::test]
async fn invalid_parameters_name_their_field() {
    let site = start().await;
    for (uri, field) in [
        ("/api/news/tab/list?market=mars", "market"),
        ("/api/news/flash/list?market=mars", "market"),
        ("/api/news/flash/list?cursor=x", "cursor"),
        ("/api/news/video/list?size=51", "size"),
        ("/api/news/tab/unread?since=yesterday", "since"),
        ("/api/news/content/detail?id=x", "id"),
        ("/api/news/content/detail?id=01001", "id"),
        ("/api/news/content/recommend/list", "contentId"),
        ("/api/news/like/list?contentIds=a", "contentIds"),
        ("/api/news/content/list-by-ids", "contentIds"),
        ("/api/cms/position/images/v3", "positionCode"),
        ("/api/cms/position/images/batch/v2", "positionCodeList"),
        ("/api/college/video/get-video-by-id?videoId=x", "videoId"),
    ] {
        let response = site.get(uri).await;
        assert_eq!((response.status, response.code()), (400, 10_000_003), "{uri}");
        assert!(response.fields()[field].is_string(), "{uri} {}", response.json);
    }
    let response = site.post("/api/news/like/operate", "", &[("contentId", "1001")]).await;
    assert!(response.fields()["like"].is_string(), "{}", response.json);
}

#[tokio::test]
async fn signature_is_verified_before_other_parameters() {
    let site = start().await;
    for parameters in [
        &[][..],
        &[("id", "1001")],
        &[("id", "1001"), ("sign", "x")],
        &[("id", "7"), ("sign", "x")],
        &[("id", "no number"), ("sign", "x")],
    ] {
        let response = site.post("/api/news/content/translate", "", parameters).await;
        assert_eq!((response.status, response.code()), (403, 10_030_001), "{parameters:?}");
        let text = "Service maintenance in progress, please try again later.";
        assert_eq!(response.json["msg"], text);
    }
}
