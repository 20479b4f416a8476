//! HTTP semantics of pages (docs/page-cache.md): headers, HEAD, conditional requests, codings, methods, `/_data`.

use crate::kit::{Response, Site};

const SAFE: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("x-frame-options", "DENY"),
    ("vary", "accept-encoding, cookie, user-agent, sec-ch-prefers-color-scheme"),
];

fn assert_protected(response: &Response) {
    for (name, value) in SAFE {
        assert_eq!(response.header(name), value, "{name}");
    }
    let policy = response.header("content-security-policy");
    let scripts = policy.split(';').find(|part| part.trim().starts_with("script-src ")).unwrap();
    assert!(!scripts.contains("unsafe"), "{scripts}");
    assert!(!response.header("permissions-policy").is_empty());
    assert_eq!(response.header("server"), "");
    assert_eq!(response.header("strict-transport-security"), "", "not in dev");
}

#[tokio::test]
async fn page_has_documented_headers() {
    let client = Site::shared().await.client();
    client.get("/en-us/news").await;
    let response = client.get("/en-us/news").await;
    assert_protected(&response);
    assert_eq!(response.header("cache-control"), "private, no-cache");
    assert_eq!(response.header("accept-ch"), "Sec-CH-Prefers-Color-Scheme");
    assert_eq!(response.cache_status(), "hit");
    assert!(response.header("cache-status").starts_with("sahm; hit"));
    assert!(response.header("age").parse::<u32>().unwrap() < 300);
    assert!(response.header("etag").starts_with('"'), "a strong one");
    assert!(response.header("server-timing").starts_with("cache;"));
    let cookies = response.headers.get_all("set-cookie").iter().collect::<Vec<_>>();
    assert!(cookies.len() == 1 && cookies[0].to_str().unwrap().starts_with("sahm_spm_share_data="));
    assert_protected(&client.get("/no/such/page").await);
}

#[tokio::test]
async fn head_response_equals_get_without_body() {
    let client = Site::shared().await.client();
    for path in [
        "/en-us/news",
        "/no/such/page",
        "/_data/en-us/news",
        "/robots.txt",
        "/sitemap.xml",
        "/api/news/tab/list",
    ] {
        client.get(path).await;
        let get = client.get(path).await;
        let head = client.send("HEAD", path, &[], "").await;
        assert_eq!(head.status, get.status, "{path}");
        assert!(head.body.is_empty());
        for name in ["content-type", "content-length", "etag", "cache-control", "vary"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
        assert_eq!(head.header("content-length"), get.body.len().to_string(), "{path}");
    }
}

#[tokio::test]
async fn conditional_request_gets_304() {
    let client = Site::shared().await.client();
    for coding in ["br", "gzip", "identity"] {
        for path in ["/en-us/news", "/_data/en-us/news"] {
            client.until_stored(path).await;
            let first = client.get_with(path, &[("accept-encoding", coding)]).await;
            assert_eq!(first.status, 200);
            let expected = if coding == "identity" { "" } else { coding };
            assert_eq!(first.header("content-encoding"), expected);
            let etag = first.header("etag");
            let many = format!("\"x\", W/{etag}");
            for tag in [etag, &*many, "*"] {
                let headers = [("accept-encoding", coding), ("if-none-match", tag)];
                let again = client.get_with(path, &headers).await;
                assert_eq!(again.status, 304, "{path} {tag}");
                assert!(again.body.is_empty());
                assert!(tag == "*" || again.header("etag") == etag);
                assert_eq!(again.header("cache-control"), "private, no-cache");
            }
            let headers = [("accept-encoding", coding), ("if-none-match", "\"x\"")];
            assert_eq!(client.get_with(path, &headers).await.status, 200);
        }
    }
}

#[tokio::test]
async fn pages_and_files_accept_get_and_head_only() {
    let client = Site::shared().await.client();
    for path in ["/", "/en-us/news", "/no/such/page", "/_data/en-us/news", "/robots.txt"] {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FOO"] {
            let response = client.send(method, path, &[], "").await;
            assert_eq!(response.status, 405, "{method} {path}");
            let allowed: Vec<_> = response.header("allow").split(", ").collect();
            assert_eq!(allowed, ["GET", "HEAD"], "{method} {path}");
        }
    }
    let response = client.send("DELETE", "/api/news/tab/list", &[], "").await;
    assert_eq!((response.status, response.json()["code"].as_u64()), (405, Some(405)));
    assert!(response.header("allow").contains("POST"));
}

#[tokio::test]
async fn page_data_of_another_build_is_409() {
    let client = Site::shared().await.client();
    let data = client.get("/_data/en-us/news").await.json();
    let build = data["build"].as_str().unwrap();
    let own = client.get_with("/_data/en-us/news", &[("x-build", build)]).await;
    assert_eq!(own.status, 200);
    for path in ["/_data/en-us/news", "/_data/no/such/page"] {
        let other = client.get_with(path, &[("x-build", "another")]).await;
        assert_eq!((other.status, other.header("cache-control")), (409, "no-store"));
    }
    // Documents are served to browsers of any build.
    assert_eq!(client.get_with("/en-us/news", &[("x-build", "another")]).await.status, 200);
}

#[tokio::test]
async fn data_of_a_missing_page_is_its_not_found_document() {
    let client = Site::shared().await.client();
    for (path, missing) in
        [("/_data/no/such/page", "page"), ("/_data/en-us/news/content/999999", "article")]
    {
        let response = client.get(path).await;
        assert_eq!(response.status, 404);
        let json = response.json();
        assert_eq!(
            (&json["page"], &json["document"]["missing"]),
            (&"not-found".into(), &missing.into())
        );
    }
    let home = client.get("/_data/").await.json();
    assert_eq!((&home["page"], &home["document"]["frame"]["path"]), (&"home".into(), &"/".into()));
    assert_eq!(client.get("/_data").await.status, 404);
}
