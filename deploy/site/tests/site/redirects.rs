//! Redirects over HTTP (docs/redirects.md), and the locale cookie.

use crate::kit::{Site, raw};

/// Status, `Location` and locale cookie of one redirect.
async fn hop(site: &Site, method: &str, target: &str) -> (u16, String, String) {
    let request = format!("{method} {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let response = raw(site.gateways[0].address, request.as_bytes()).await.unwrap();
    if (300..400).contains(&response.status) {
        assert_eq!(response.header("cache-control"), "no-store");
        assert!(response.header("vary").contains("cookie"), "{response:?}");
        assert!(response.body.is_empty());
    }
    let cookies =
        response.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let language = cookies.filter(|cookie| cookie.starts_with("lang=")).collect::<String>();
    (response.status, response.header("location").to_owned(), language)
}

const ARABIC: &str = "lang=ar-sa; Path=/; Max-Age=31536000; SameSite=Lax";
const ENGLISH: &str = "lang=en-us; Path=/; Max-Age=31536000; SameSite=Lax";

/// Target, status, `Location`, `Set-Cookie`.
const CASES: [(&str, u16, &str, &str); 27] = [
    // Locale prefixes.
    ("/news/", 301, "/news", ""),
    ("/en-us/", 301, "/en-us", ""),
    ("/ar-SA/news", 301, "/ar-sa/news", ""),
    ("/AR_SA", 301, "/ar-sa", ""),
    ("/EN-us/news/us/?a=1", 301, "/en-us/news/us?a=1", ""),
    ("/fr-fr/news", 302, "/news", ""),
    ("/fr-fr", 302, "/", ""),
    ("/fr_FR/news/", 301, "/news", ""),
    ("/fr-fr/news?b=%20&a", 302, "/news?b=%20&a", ""),
    // Query `lang`, Arabic.
    ("/news?lang=ar", 301, "/ar-sa/news", ARABIC),
    ("/?lang=AR_sa", 301, "/ar-sa", ARABIC),
    ("/en-us/news?a=%2B&lang=ar-SA&b&lang=en", 301, "/ar-sa/news?a=%2B&b", ARABIC),
    ("/fr-fr/news/?lang=ar", 301, "/ar-sa/news", ARABIC),
    ("/no/such/page?lang=ar", 301, "/ar-sa/no/such/page", ARABIC),
    ("/ar-sa/news?lang=ar", 200, "", ""),
    // Query `lang`, English.
    ("/ar-sa/news?lang=en", 301, "/news", ENGLISH),
    ("/ar-sa?x=1&lang=EN_US", 301, "/?x=1", ENGLISH),
    ("/ar-SA/news?lang=en", 301, "/news", ENGLISH),
    ("/news?lang=en", 200, "", ENGLISH),
    ("/en-us/news?lang=en", 200, "", ""),
    // Other values are ignored.
    ("/news?lang=fr", 200, "", ""),
    ("/ar-sa/news?lang=fr&lang=en", 200, "", ""),
    // Redirects never lead to another site.
    ("//evil.test/", 404, "", ""),
    ("/\\evil.test/", 404, "", ""),
    ("/fr-fr//evil.test", 404, "", ""),
    ("/%5cevil.test/?lang=ar", 404, "", ""),
    ("/%zz/?lang=ar", 400, "", ""),
];

#[tokio::test]
async fn each_url_redirects_once_as_documented() {
    let site = Site::shared().await;
    for (target, status, location, cookie) in CASES {
        for method in ["GET", "HEAD"] {
            let (got, to, set) = hop(site, method, target).await;
            let expected = (status, location, cookie);
            assert_eq!((got, &*to, &*set), expected, "{method} {target}");
        }
    }
}

#[tokio::test]
async fn every_redirect_chain_ends() {
    let site = Site::shared().await;
    for (start, ..) in CASES {
        let mut target = start.to_owned();
        for _ in 0..3 {
            let (status, location, _) = hop(site, "GET", &target).await;
            if !(300..400).contains(&status) {
                break;
            }
            assert!(location.starts_with('/') && !location.starts_with("//"), "{location}");
            target = location;
        }
        let (status, ..) = hop(site, "GET", &target).await;
        assert!([200, 400, 404].contains(&status), "{start} ends on {status} at {target}");
    }
}

#[tokio::test]
async fn locale_cookie_is_used_if_the_path_has_no_locale() {
    let client = Site::shared().await.client();
    for (path, cookie, lang) in [
        ("/news", "lang=ar-sa", "ar-SA"),
        ("/news", "a=b; lang=AR", "ar-SA"),
        ("/news", "lang=<script>", "en-US"),
        ("/en-us/news", "lang=ar-sa", "en-US"),
        ("/news?lang=en", "lang=ar-sa", "en-US"),
    ] {
        let response = client.get_with(path, &[("cookie", cookie)]).await;
        assert_eq!(response.status, 200);
        assert!(response.text().contains(&format!("<html lang=\"{lang}\"")), "{path} {cookie}");
    }
}

#[tokio::test]
async fn data_of_a_redirected_page_names_the_location() {
    let client = Site::shared().await.client();
    for (path, to) in [
        ("/_data/news?lang=ar", "/ar-sa/news"),
        ("/_data/ar-SA/news", "/ar-sa/news"),
        ("/_data/fr-fr/news", "/news"),
        ("/_data/news/", "/news"),
    ] {
        let response = client.get(path).await;
        assert_eq!(response.status, 200, "{path}");
        assert_eq!(response.json(), serde_json::json!({ "redirect": to }));
        assert_eq!(response.header("cache-control"), "no-store");
    }
}

#[tokio::test]
async fn locale_redirects_do_not_apply_to_api_and_files() {
    let client = Site::shared().await.client();
    for path in ["/robots.txt?lang=ar", "/sitemap.xml?lang=ar", "/metrics?lang=ar"] {
        assert_eq!(client.get(path).await.status, 200, "{path}");
    }
    let tabs = client.get("/api/news/tab/list?lang=ar").await;
    assert_eq!((tabs.status, tabs.json()["code"].as_u64()), (200, Some(10_000_000)));
}
