//! Likes and views over the API, counted by the cookie `vid`.
use serde_json::json;

use crate::api::content::start;

#[tokio::test]
async fn likes_and_views_are_counted_once_per_visitor() {
    let site = start().await;
    for (path, body) in [
        ("/api/news/like/operate", "contentId=1001&like=true"),
        ("/api/news/content/log/add", "id=1002"),
        ("/api/college/log/add", "articleId=1001"),
        ("/api/college/article/like/add", "articleId=1001"),
    ] {
        let first = site.form(path, "", body).await;
        assert_eq!((first.status, &first.data()["count"]), (200, &json!("1")), "{path}");
        let visitor = first.cookie("vid").unwrap();
        let second = site.form(path, &visitor, body).await;
        assert_eq!((&second.data()["count"], second.cookie("vid")), (&json!("1"), None), "{path}");
        let other = site.form(path, "vid=malformed", body).await;
        assert_eq!(other.data()["count"], "2", "{path}");
        assert!(other.cookie("vid").is_some(), "a malformed cookie is no visitor");
    }
}

#[tokio::test]
async fn like_is_returned_and_withdrawn() {
    let site = start().await;
    let path = "/api/news/like/operate";
    let first = site.form(path, "", "contentId=1001&like=true").await;
    assert_eq!(first.data(), &json!({ "id": "1001", "liked": true, "count": "1" }));
    let visitor = first.cookie("vid").unwrap();
    let list = "/api/news/like/list";
    let found = site.form(list, &visitor, "contentIds=1001,1002").await;
    let expected = json!({ "items": [
        { "id": "1001", "liked": true, "count": "1" },
        { "id": "1002", "liked": false, "count": "0" },
    ] });
    assert_eq!(found.data(), &expected);
    let back = site.form(path, &visitor, "contentId=1001&like=false").await;
    assert_eq!(back.data(), &json!({ "id": "1001", "liked": false, "count": "0" }));
    assert_eq!(site.get(&format!("{list}?contentIds=1001")).await.data()["items"][0]["count"], "0");
}

#[tokio::test]
async fn article_is_translated_with_the_token_of_its_page() {
    let site = start().await;
    let uri = "/api/news/content/translate";
    for (lang, other) in [("en", "ar-sa"), ("ar", "en-us")] {
        let shown = site.get(&format!("/api/news/content/detail?id=1001&lang={lang}")).await;
        let sign = shown.data()["article"]["sign"].as_str().unwrap();
        let parameters = [("id", "1001"), ("sign", sign), ("lang", lang)];
        let found = site.post(uri, "", &parameters).await;
        assert_eq!(
            (&found.data()["article"]["locale"], &found.data()["text"]),
            (&json!(other), &json!(""))
        );
    }
    for (id, lang, text) in [
        ("2015", "en", "Sorry, this article is only available in one language."),
        ("2015", "ar", "عذرًا، هذا المقال متاح بلغة واحدة فقط."),
    ] {
        let shown = site.get(&format!("/api/news/content/detail?id={id}&lang={lang}")).await;
        let sign = shown.data()["article"]["sign"].as_str().unwrap();
        let found = site.post(uri, "", &[("id", id), ("sign", sign), ("lang", lang)]).await;
        let expected =
            json!({ "id": id, "article": null, "machineTranslated": false, "text": text });
        assert_eq!((found.code(), found.data()), (10_000_000, &expected));
    }
}
