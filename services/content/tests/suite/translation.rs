//! Articles in the other locale: human translation, machine translation, or none.
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use sahm_chassis::ErrorCode;
use sahm_proto::content::v1 as wire;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::{
    on_the_seed,
    seeded::{Seeded, code},
    support::Base,
};

on_the_seed!(other_locale_of_a_shown_article_is_returned, signature_is_verified_first);

async fn read(site: &Seeded, id: u64, locale: &str) -> wire::GetArticleResponse {
    let get_request = wire::GetArticleRequest { id, locale: locale.into(), ..Default::default() };
    site.news().get_article(get_request).await.unwrap().into_inner()
}

async fn shown(site: &Seeded, id: u64, locale: &str) -> wire::Article {
    read(site, id, locale).await.article.unwrap()
}

fn translate_request(id: impl ToString, sign: &str, locale: &str) -> wire::TranslateArticleRequest {
    wire::TranslateArticleRequest {
        id: id.to_string(),
        sign: sign.to_owned(),
        locale: locale.to_owned(),
    }
}

async fn other_locale_of_a_shown_article_is_returned(site: Seeded) {
    let replica = site.replica().await;
    for (from, to) in [("en-us", "ar-sa"), ("ar-sa", "en-us")] {
        let article = shown(&site, 1001, from).await;
        let translate_request = translate_request(1001, &article.sign, from);
        let found = replica.news().translate_article(translate_request).await.unwrap().into_inner();
        let other = shown(&replica, 1001, to).await;
        assert_eq!((found.id, found.machine_translated, &*found.text), (1001, false, ""));
        assert_eq!(found.article.unwrap().body_html, other.body_html);
    }
    // One article exists in English only, the other in Arabic only.
    for (id, page, text) in [
        (2015, "en-us", "Sorry, this article is only available in one language."),
        (1021, "ar-sa", "عذرًا، هذا المقال متاح بلغة واحدة فقط."),
    ] {
        let answer = read(&site, id, page).await;
        assert!(!answer.machine_translation, "there is no translator");
        let sign = answer.article.unwrap().sign;
        let found =
            site.news().translate_article(translate_request(id, &sign, page)).await.unwrap();
        let found = found.into_inner();
        assert_eq!((found.article, &*found.text, found.id), (None, text, id));
    }
}

async fn signature_is_verified_first(site: Seeded) {
    let sign = shown(&site, 1001, "en-us").await.sign;
    let other = shown(&site, 1002, "en-us").await.sign;
    let mut news = site.news();
    for (id, sign) in [
        ("1001", ""),
        ("1001", "x"),
        ("1001", &*other),
        ("7", &sign),
        ("no number", &sign),
        ("", &sign),
        ("1001", &sign[1..]),
    ] {
        let status = news.translate_article(translate_request(id, sign, "")).await.unwrap_err();
        assert_eq!(status.code(), tonic::Code::PermissionDenied);
        assert_eq!(code(&status), ErrorCode::SignatureInvalid, "{id:?} {sign:?}");
    }
    news.translate_article(translate_request(1001, &sign, "")).await.unwrap();
    site.clock.advance(Duration::from_secs(3_599));
    news.translate_article(translate_request(1001, &sign, "")).await.unwrap();
    let ids = vec![1001];
    news.withdraw_articles(wire::WithdrawArticlesRequest { ids }).await.unwrap();
    let status = news.translate_article(translate_request(1001, &sign, "")).await.unwrap_err();
    assert_eq!(code(&status), ErrorCode::ArticleNotFound);
    site.clock.advance(Duration::from_secs(1));
    let status = news.translate_article(translate_request(1001, &sign, "")).await.unwrap_err();
    assert_eq!(code(&status), ErrorCode::SignatureInvalid);
}

/// A provider that returns a status and a body, and records its requests.
async fn provider(status: u16, body: Value) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/translate", listener.local_addr().unwrap());
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let kept = seen.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            let whole = |request: &[u8]| {
                let text = String::from_utf8_lossy(request).to_lowercase();
                let (head, rest) = text.split_once("\r\n\r\n")?;
                let length = head.split("content-length: ").nth(1)?.lines().next()?.parse().ok()?;
                (rest.len() >= length).then_some(())
            };
            while whole(&request).is_none() {
                stream.read_buf(&mut request).await.unwrap();
            }
            kept.lock().unwrap().push(String::from_utf8(request).unwrap());
            let body = body.to_string();
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            stream.write_all((head + &body).as_bytes()).await.unwrap();
        }
    });
    (url, seen)
}

async fn with_provider(status: u16, body: Value) -> (Seeded, Arc<Mutex<Vec<String>>>) {
    let (url, seen) = provider(status, body).await;
    let pairs = [("SAHM_TRANSLATION_URL", &*url), ("SAHM_TRANSLATION_TOKEN", "secret-1")];
    (Seeded::start_with(Base::sqlite(), &pairs, false).await, seen)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn machine_translates_articles_without_a_translation() {
    let texts = ["عنوان\n", "ملخص", "<p onclick=\"a()\">سهم (أبل)</p><script>a()</script>"];
    let (site, seen) = with_provider(200, json!({ "texts": texts })).await;
    let answer = read(&site, 2015, "en-us").await;
    assert!(answer.machine_translation);
    let sign = answer.article.unwrap().sign;
    for _ in 0..2 {
        let found =
            site.news().translate_article(translate_request(2015, &sign, "ar-sa")).await.unwrap();
        let found = found.into_inner();
        assert!(found.machine_translated && found.text.is_empty());
        let article = found.article.unwrap();
        assert_eq!(
            (&*article.locale, &*article.title, &*article.summary),
            ("ar-sa", "عنوان", "ملخص")
        );
        assert!(article.body_html.starts_with("<p>سهم (<a "), "{}", article.body_html);
        assert!(!article.body_html.contains("script") && article.sign.is_empty());
        assert_eq!(article.stocks[0].stock_code, "AAPL");
    }
    // A human translation takes precedence.
    let sign = shown(&site, 1001, "en-us").await.sign;
    let found = site
        .news()
        .translate_article(translate_request(1001, &sign, ""))
        .await
        .unwrap()
        .into_inner();
    assert!(!found.machine_translated && found.article.is_some());

    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 1, "a translation is kept");
    let (head, body) = seen[0].split_once("\r\n\r\n").unwrap();
    assert!(head.to_lowercase().contains("authorization: bearer secret-1"));
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&body["source"], &body["target"]), (&json!("en-us"), &json!("ar-sa")));
    assert_eq!(body["texts"].as_array().unwrap().len(), 3);
    assert!(!body["texts"][2].as_str().unwrap().contains("data-stock-code"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_response_of_the_provider_is_unavailable() {
    for (status, body) in [
        (500, json!({ "texts": ["a", "b", "<p>c</p>"] })),
        (200, json!({ "texts": ["a", "b"] })),
        (200, json!({ "texts": ["a", "b", "<script>c</script>"] })),
        (200, json!("a")),
    ] {
        let (site, _) = with_provider(status, body).await;
        let sign = shown(&site, 2015, "en-us").await.sign;
        let status =
            site.news().translate_article(translate_request(2015, &sign, "")).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::Unavailable);
    }
}
